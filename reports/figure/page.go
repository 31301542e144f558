package figure

import (
	"image/color"
	"math"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A page is a list of shapes on white, the origin at the upper left, in points. Every
// coordinate is rounded to a hundredth of a point when it is written.
type page struct {
	width, height  float64
	title, comment string // for those who do not see the picture
	shapes         []shape
}

type point struct{ x, y float64 }

// A shape is a path, a disc (radius > 0, one point) or a text (one point).
type shape struct {
	pts          []point
	closed       bool
	radius       float64
	fill, stroke color.NRGBA // alpha 0: none
	width        float64
	dash         []float64

	text  string // in the colour fill
	face  face
	align align
}

// align is where in its text a point is.
type align uint8

const (
	left align = iota
	centre
	right
)

func (p *page) add(s shape) { p.shapes = append(p.shapes, s) }

func (p *page) line(c color.NRGBA, width float64, pts ...point) {
	p.add(shape{pts: pts, stroke: c, width: width})
}

func (p *page) rect(x, y, w, h float64, fill color.NRGBA) {
	p.add(shape{pts: []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, closed: true, fill: fill})
}

// write puts a text with its base line at y.
func (p *page) write(x, y float64, a align, f face, c color.NRGBA, text string) {
	if text != "" {
		p.add(shape{pts: []point{{x, y}}, text: text, face: f, align: a, fill: c})
	}
}

// hundredths rounds a coordinate. What lies halfway, as round numbers often do, is
// rounded up even if it was calculated a little too small, which depends on the
// processor.
func hundredths(v float64) int { return int(math.Floor(v*100 + 0.5 + 1e-6)) }

// A face is a size of the font and whether it is bold.
type face struct {
	size float64
	bold bool
}

// fonts are regular and bold. Bold is a typeface of its own with normal weight,
// because vgpdf panics on a bold one.
var fonts = sync.OnceValue(func() [2]font.Face {
	return [2]font.Face{parsed("FigureRegular", liberationsansregular.TTF), parsed("FigureBold", liberationsansbold.TTF)}
})

func parsed(name font.Typeface, file []byte) font.Face {
	f, err := opentype.Parse(file)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return font.Face{Font: font.Font{Typeface: name}, Face: f}
}

func (f face) font() font.Face {
	g := fonts()[0]
	if f.bold {
		g = fonts()[1]
	}
	g.Font.Size = vg.Points(f.size)
	return g
}

// spare is what another font may be wider. Where the one of the layout is missing, a viewer takes
// its own: DejaVu Sans is up to 19% wider.
const spare = 1.2

// wide is the room for a text.
func (f face) wide(text string) float64 {
	g := f.font()
	return spare * g.Width(text).Points()
}

// maxText is how much of a text is looked at.
const maxText = 400

// clean is a text on one line, without what cannot be printed, cut if it is long.
func clean(text string) string {
	var b strings.Builder
	n, space := 0, true
	for _, r := range text {
		if n == maxText {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		if !unicode.IsPrint(r) || r == ' ' || r > 0xFFFD && r < 0x10000 {
			r = ' '
		}
		if r == ' ' && space {
			continue
		}
		space = r == ' '
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}

// fit cuts a text to a width.
func (f face) fit(text string, width float64) string {
	if text = clean(text); f.wide(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		if s := strings.TrimRight(string(runes), " ") + "…"; f.wide(s) <= width {
			return s
		}
	}
	return "…"
}

// wrap breaks a text into lines of a width, and cuts the last.
func (f face) wrap(text string, width float64, lines int) (list []string) {
	words := strings.Fields(clean(text))
	for len(words) > 0 && len(list) < lines {
		if len(list) == lines-1 {
			return append(list, f.fit(strings.Join(words, " "), width))
		}
		n := 1
		for n < len(words) && f.wide(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		list = append(list, f.fit(strings.Join(words[:n], " "), width))
		words = words[n:]
	}
	return list
}
