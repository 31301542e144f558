package figure

// Bars are horizontal bars, so that long names can be read: one group for each name,
// in it one bar for each series. They stand on 0; on a log axis, which has no 0, they
// are points.
type Bars struct {
	Names  []string
	Series []BarSeries
}

// BarSeries is one value for each name. Low and High, if given, are its interval.
// Text, if given, stands behind each bar, such as "0 of 1,000".
type BarSeries struct {
	Name      string
	Values    []float64
	Low, High []float64
	Text      []string
}

const (
	maxBars  = 200
	barThick = 11.0
	barGap   = 9.0
)

func (b Bars) names() (x, y []string) { return nil, append([]string{}, b.Names...) }

func (b Bars) height(int) float64 {
	return max(40, float64(len(b.Names))*(float64(len(b.Series))*barThick+barGap))
}

func (b Bars) check(c *checker, p *Panel) {
	if n := len(b.Names) * len(b.Series); n > maxBars {
		c.add("%d bars: want at most %d", n, maxBars)
		return
	}
	if p.X.Scale == Nines {
		c.add("bars on an axis of nines: want Linear or Log")
	}
	for i := range b.Series {
		b.one(c, p, i)
	}
}

func (b Bars) one(c *checker, p *Panel, i int) {
	s := &b.Series[i]
	defer c.in("series %d %s", i+1, quote(s.Name))()
	n := len(b.Names)
	if !c.same("Values", len(s.Values), "Names", n) || s.Text != nil && !c.same("Text", len(s.Text), "Names", n) {
		return
	}
	if s.Low == nil && s.High == nil {
		for i, v := range s.Values {
			c.datum("Values", i, v, p.X.Scale)
		}
		return
	}
	if c.same("Low", len(s.Low), "Names", n) && c.same("High", len(s.High), "Names", n) {
		for i, v := range s.Values {
			c.interval(i, s.Low[i], v, s.High[i], p.X.Scale, c.datum)
		}
	}
}

func (b Bars) extent(x, _ *extent) {
	x.foot = x.scale == Linear
	for i := range b.Series {
		s := &b.Series[i]
		for _, list := range [...][]float64{s.Values, s.Low, s.High} {
			for _, v := range list {
				x.add(v)
			}
		}
	}
}

func (b Bars) entries() (list []entry) {
	for _, s := range b.Series {
		list = append(list, entry{name: s.Name, square: true, bars: len(b.Series), empty: len(s.Values) == 0})
	}
	return list
}

func (b Bars) draw(f *frame) {
	for i := range b.Names {
		group := f.h / float64(len(b.Names))
		top := f.y + float64(i)*group + (group-float64(len(b.Series))*barThick)/2
		for j := range b.Series {
			b.Series[j].bar(f, i, top+float64(j)*barThick, f.style(b.Series[j].Name))
		}
	}
	if len(b.Names)*len(b.Series) == 0 {
		f.p.write(f.x+f.w/2, f.y+f.h/2+3, centre, faceLabel, soft, "no data")
	}
}

func (s *BarSeries) bar(f *frame, i int, top float64, style int) {
	const thick = barThick - 2
	x, mid := f.px(s.Values[i]), top+barThick/2
	foot := f.x
	if f.xs.kind == Linear {
		foot = f.px(0)
		f.p.rect(min(foot, x), mid-thick/2, max(x-foot, foot-x), thick, palette[style])
	}
	end := max(x, foot)
	if s.Low != nil {
		low, high := f.px(s.Low[i]), f.px(s.High[i])
		for _, pen := range []shape{{stroke: white, width: 2.6}, {stroke: ink, width: 1.2}} { // seen on the bar and beside it
			pen.pts = []point{{low, mid}, {high, mid}}
			f.p.add(pen)
		}
		f.p.line(ink, 1.2, point{low, mid - 2.4}, point{low, mid + 2.4})
		f.p.line(ink, 1.2, point{high, mid - 2.4}, point{high, mid + 2.4})
		end = max(end, high)
	}
	if f.xs.kind == Log {
		f.p.marker(1, x, mid, 3.4, palette[style]) // a square, as in the legend
		end = max(end, x+3)
	}
	if s.Text != nil {
		f.p.write(end+5, mid+3, left, faceSmall, soft, faceSmall.fit(s.Text[i], 110*spare))
	}
}
