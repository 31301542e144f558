package figure

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"
)

// families have the widths of the font that the page was laid out with.
const families = "Liberation Sans, Arial, Helvetica, sans-serif"

// svg writes the page as SVG. Text is placed by its middle or its end where it is
// centred or right-aligned, so that another font does not shift it.
func (p *page) svg(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="%s">`+"\n",
		decimal(p.width*4/3), decimal(p.height*4/3), decimal(p.width), decimal(p.height), families)
	fmt.Fprintf(b, "<title>%s</title>\n", escape(p.title))
	if p.comment != "" {
		fmt.Fprintf(b, "<desc>%s</desc>\n", escape(p.comment))
	}
	fmt.Fprintf(b, `<rect width="%s" height="%s" fill="#fff"/>`+"\n", decimal(p.width), decimal(p.height))
	var buf []byte
	for i := range p.shapes {
		buf = p.shapes[i].svg(buf[:0])
		b.Write(buf)
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string { return escaper.Replace(s) }

// decimal is a coordinate with at most two decimals.
func decimal(v float64) string { return string(appendDecimal(nil, v)) }

func appendDecimal(b []byte, v float64) []byte {
	n := hundredths(v)
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, int64(n/100), 10)
	if rest := n % 100; rest != 0 {
		b = append(b, '.', byte('0'+rest/10))
		if rest%10 != 0 {
			b = append(b, byte('0'+rest%10))
		}
	}
	return b
}

func appendAttr(b []byte, name string, v float64) []byte {
	b = append(append(append(b, ' '), name...), '=', '"')
	return append(appendDecimal(b, v), '"')
}

func (s *shape) svg(b []byte) []byte {
	switch {
	case s.text != "":
		b = append(b, "<text"...)
		b = appendAttr(b, "x", s.pts[0].x)
		b = appendAttr(b, "y", s.pts[0].y)
		b = appendAttr(b, "font-size", s.face.size)
		if s.face.bold {
			b = append(b, ` font-weight="bold"`...)
		}
		b = append(b, [...]string{"", ` text-anchor="middle"`, ` text-anchor="end"`}[s.align]...)
		b = appendPaint(b, "fill", s.fill)
		return append(append(append(b, '>'), escape(s.text)...), "</text>\n"...)
	case s.radius > 0:
		b = append(b, "<circle"...)
		b = appendAttr(b, "cx", s.pts[0].x)
		b = appendAttr(b, "cy", s.pts[0].y)
		b = appendAttr(b, "r", s.radius)
	default:
		b = append(b, `<path d="`...)
		for i, p := range s.pts {
			b = append(b, "ML"[min(i, 1)])
			b = appendDecimal(b, p.x)
			b = append(b, ' ')
			b = appendDecimal(b, p.y)
		}
		if s.closed {
			b = append(b, 'Z')
		}
		b = append(b, '"')
	}
	b = appendPaint(b, "fill", s.fill)
	if s.width > 0 {
		b = appendPaint(b, "stroke", s.stroke)
		b = appendAttr(b, "stroke-width", s.width)
		if !s.closed && s.radius == 0 {
			b = append(b, ` stroke-linejoin="round"`...)
		}
	}
	if len(s.dash) > 0 {
		b = append(b, ` stroke-dasharray="`...)
		for i, d := range s.dash {
			if i > 0 {
				b = append(b, ' ')
			}
			b = appendDecimal(b, d)
		}
		b = append(b, '"')
	}
	return append(b, "/>\n"...)
}

// appendPaint writes a colour; one that is not there as "none".
func appendPaint(b []byte, name string, c color.NRGBA) []byte {
	if c.A == 0 {
		return append(append(append(b, ' '), name...), `="none"`...)
	}
	b = fmt.Appendf(b, ` %s="#%02x%02x%02x"`, name, c.R, c.G, c.B)
	if c.A < 255 {
		b = appendAttr(b, name+"-opacity", float64(c.A)/255)
	}
	return b
}
