package figure

import (
	"image/color"
)

// The theme: every size in points (1/72 inch), every colour, in one place.
const (
	pageWidth = 600.0
	margin    = 14.0
	gapTiles  = 22.0

	maxNames  = 7 // that colour and dash tell apart
	maxPanels = 48

	pixels = 2 // of a PNG per point
)

// Sizes of text.
var (
	faceTitle    = face{14, true}
	faceSubtitle = face{9.5, false}
	faceHeading  = face{10.5, true}
	faceLabel    = face{10, false}
	faceTick     = face{9.5, false}
	faceSmall    = face{8.5, false}
)

// Colours of everything that is not data.
var (
	ink     = color.NRGBA{0x1F, 0x24, 0x2B, 255}
	soft    = color.NRGBA{0x57, 0x60, 0x6A, 255}
	rule    = color.NRGBA{0x8C, 0x95, 0x9F, 255}
	grid    = color.NRGBA{0xE3, 0xE6, 0xEA, 255}
	context = color.NRGBA{0xC4, 0xC9, 0xCF, 255}
	stripe  = color.NRGBA{0xF5, 0xF6, 0xF8, 255}
	alarm   = color.NRGBA{0xB4, 0x10, 0x1E, 255}
	wrong   = color.NRGBA{0xF9, 0xDC, 0xDC, 255}
	white   = color.NRGBA{255, 255, 255, 255}
)

// palette is Okabe and Ito's, without yellow, which is too light on white. Its
// neighbours differ in lightness as well, so that they differ in grey.
//
// Source: Okabe and Ito, "Color Universal Design", 2008.
var palette = [maxNames]color.NRGBA{
	{0x00, 0x72, 0xB2, 255}, // blue
	{0xE6, 0x9F, 0x00, 255}, // orange
	{0x00, 0x9E, 0x73, 255}, // bluish green
	{0xD5, 0x5E, 0x00, 255}, // vermillion
	{0xCC, 0x79, 0xA7, 255}, // reddish purple
	{0x56, 0xB4, 0xE9, 255}, // sky blue
	{0x00, 0x00, 0x00, 255}, // black
}

// dashes tell lines apart without colour; steps are told apart by their markers, as
// dashes make corners unreadable.
var dashes = [maxNames][]float64{
	nil, {6, 2.5}, {2, 2}, {8, 2.5, 2, 2.5}, {4, 2}, {1, 1.6}, {10, 3},
}

// cividis goes from little to much, in colour and in grey alike.
//
// Source: Nuñez, Anderton and Renslow, "Optimizing colormaps with consideration for
// color vision deficiency", PLoS ONE 2018; here at every eighth of its range, as the
// polynomials of d3-scale-chromatic have it.
var cividis = []color.NRGBA{
	{0x00, 0x20, 0x51, 255}, {0x11, 0x36, 0x6C, 255}, {0x3C, 0x4D, 0x6E, 255}, {0x62, 0x64, 0x6F, 255}, {0x7F, 0x7C, 0x75, 255},
	{0x9A, 0x94, 0x78, 255}, {0xBB, 0xAF, 0x71, 255}, {0xE2, 0xCB, 0x5C, 255}, {0xFD, 0xEA, 0x45, 255},
}

// shade is the colour of a share, 0 to 1, of the greatest value.
func shade(share float64) color.NRGBA {
	at := share * float64(len(cividis)-1)
	i := min(max(int(at+1e-9), 0), len(cividis)-2)
	part := min(max(at-float64(i), 0), 1)
	a, b := cividis[i], cividis[i+1]
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + float64(part*(float64(b)-float64(a))) + 0.5 + 1e-6) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// over is the colour of text that can be read on a background.
func over(back color.NRGBA) color.NRGBA {
	if 299*int(back.R)+587*int(back.G)+114*int(back.B) > 128_000 {
		return ink
	}
	return white
}

// faint is a colour that others show through.
func faint(c color.NRGBA) color.NRGBA { c.A = 51; return c }

// marker draws the sign of a style: seven shapes that differ in grey.
func (p *page) marker(style int, x, y, r float64, fill color.NRGBA) {
	poly := func(xy ...float64) {
		var pts []point
		for i := 0; i < len(xy); i += 2 {
			pts = append(pts, point{x + float64(xy[i]*r), y + float64(xy[i+1]*r)})
		}
		p.add(shape{pts: pts, closed: true, fill: fill, stroke: white, width: 0.6})
	}
	switch style % maxNames {
	case 0:
		p.add(shape{pts: []point{{x, y}}, radius: r, fill: fill, stroke: white, width: 0.6})
	case 1:
		poly(-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9)
	case 2:
		poly(0, -1.25, 1.15, 0.85, -1.15, 0.85)
	case 3:
		poly(0, -1.35, 1.35, 0, 0, 1.35, -1.35, 0)
	case 4:
		poly(0, 1.25, 1.15, -0.85, -1.15, -0.85)
	case 5: // plus
		poly(-0.4, -1.3, 0.4, -1.3, 0.4, -0.4, 1.3, -0.4, 1.3, 0.4, 0.4, 0.4, 0.4, 1.3, -0.4, 1.3, -0.4, 0.4, -1.3, 0.4, -1.3, -0.4, -0.4, -0.4)
	default: // ring
		p.add(shape{pts: []point{{x, y}}, radius: r * 0.9, fill: white, stroke: fill, width: 1.2})
	}
}
