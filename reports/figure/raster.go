package figure

import (
	"image/color"
	"image/png"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// png writes the page as PNG.
func (p *page) png(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(vg.Points(p.width), vg.Points(p.height)), vgimg.UseDPI(72*pixels))
	for i := range p.shapes {
		p.shapes[i].paint(c, p.height, func(c color.NRGBA) color.Color { return c })
	}
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	return e.Encode(w, c.Image())
}

// pdf writes the page as PDF. Of several fonts vgpdf embeds the file of one only, and
// others would have its glyphs at their own distances: bold text is regular text, twice.
func (p *page) pdf(w io.Writer) error {
	const bold = 0.35
	c := vgpdf.New(vg.Points(p.width), vg.Points(p.height))
	for _, s := range p.shapes {
		s.text = windows(s.text)
		paint := func() { s.paint(c, p.height, func(c color.NRGBA) color.Color { return straight(c) }) }
		if s.text != "" && s.face.bold {
			s.face.bold = false
			paint()
			s.pts = []point{{s.pts[0].x + bold, s.pts[0].y}}
		}
		paint()
	}
	_, err := c.WriteTo(w)
	return err
}

// straight is a colour as vgpdf takes it: it sets opacity and the parts of a colour
// apart, and expects that they were not multiplied.
type straight color.NRGBA

// RGBA implements [color.Color].
func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// at is a coordinate of the page, rounded as in SVG, where y grows upwards.
func (q point) at(height float64) vg.Point {
	return vg.Point{X: vg.Length(hundredths(q.x)) / 100, Y: vg.Length(hundredths(height)-hundredths(q.y)) / 100}
}

// paint draws a shape on a canvas of gonum/plot.
func (s *shape) paint(c vg.Canvas, height float64, as func(color.NRGBA) color.Color) {
	if s.text != "" {
		f := s.face.font()
		at := s.pts[0].at(height)
		at.X -= f.Width(s.text) * vg.Length(s.align) / 2
		c.SetColor(as(s.fill))
		c.FillString(f, at, s.text)
		return
	}
	path := s.path(height)
	if s.fill.A > 0 {
		c.SetColor(as(s.fill))
		c.Fill(path)
	}
	if s.stroke.A > 0 && s.width > 0 {
		dash := make([]vg.Length, len(s.dash))
		for i, d := range s.dash {
			dash[i] = vg.Points(d)
		}
		c.SetLineDash(dash, 0)
		c.SetLineWidth(vg.Points(s.width))
		c.SetColor(as(s.stroke))
		c.Stroke(path)
	}
}

func (s *shape) path(height float64) (path vg.Path) {
	if s.radius > 0 { // four curves
		o, r := s.pts[0].at(height), vg.Points(s.radius)
		k := r * 0.5523
		at := func(x, y vg.Length) vg.Point { return vg.Point{X: o.X + x, Y: o.Y + y} }
		path.Move(at(r, 0))
		path.CubeTo(at(r, k), at(k, r), at(0, r))
		path.CubeTo(at(-k, r), at(-r, k), at(-r, 0))
		path.CubeTo(at(-r, -k), at(-k, -r), at(0, -r))
		path.CubeTo(at(k, -r), at(r, -k), at(r, 0))
		path.Close()
		return path
	}
	path = make(vg.Path, 0, len(s.pts)+1)
	for i, q := range s.pts {
		if i == 0 {
			path.Move(q.at(height))
		} else {
			path.Line(q.at(height))
		}
	}
	if s.closed {
		path.Close()
	}
	return path
}

// code1252 are the characters of Windows code page 1252 that are not those of Latin 1.
var code1252 = map[rune]string{
	'€': "\x80", '‚': "\x82", '„': "\x84", '…': "\x85", '‘': "\x91", '’': "\x92", '“': "\x93", '”': "\x94",
	'•': "\x95", '–': "\x96", '—': "\x97", '™': "\x99", 'Œ': "\x8c", 'œ': "\x9c", 'Š': "\x8a", 'š': "\x9a", 'Ž': "\x8e", 'ž': "\x9e",
	'≤': "<=", '≥': ">=", '≠': "<>", '−': "-", '→': "->", '←': "<-", '≈': "~", 'μ': "\xb5",
}

// windows is a text in code page 1252, which is all that vgpdf can write.
func windows(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch s, ok := code1252[r]; {
		case ok:
			b.WriteString(s)
		case r < 0x80 || r >= 0xA0 && r <= 0xFF:
			b.WriteByte(byte(r))
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
