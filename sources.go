// Package fencepost has the sources that simctl new model unpacks.
package fencepost

import "embed"

//go:generate go run ./internal/sources

// Sources is the module without what only its own tests and scenarios need. A pattern leaves out what ends in t.go, as tests do;
// other files that end so have a pattern of their own.
//
//go:embed go.mod go.sum LICENSE
//go:embed cmd/messages/*[^t].go
//go:embed cmd/simctl/cli/*[^t].go cmd/simctl/cli/list.go cmd/simctl/cli/plot.go cmd/simctl/cli/root.go cmd/simctl/cli/vet.go
//go:embed cmd/simctl/internal/advise/*[^t].go
//go:embed cmd/simctl/internal/amount/amount.go cmd/simctl/internal/amount/*[^t].go
//go:embed cmd/simctl/internal/boundary/*[^t].go
//go:embed cmd/simctl/internal/candidates/*[^t].go
//go:embed cmd/simctl/internal/cli/*[^t].go cmd/simctl/internal/cli/exit.go cmd/simctl/internal/cli/input.go cmd/simctl/internal/cli/output.go cmd/simctl/internal/cli/subject.go
//go:embed cmd/simctl/internal/conditions/*[^t].go
//go:embed cmd/simctl/internal/describe/*[^t].go
//go:embed cmd/simctl/internal/determinism/*[^t].go
//go:embed cmd/simctl/internal/division/*[^t].go
//go:embed cmd/simctl/internal/execute/*[^t].go cmd/simctl/internal/execute/expect.go cmd/simctl/internal/execute/export.go cmd/simctl/internal/execute/part.go cmd/simctl/internal/execute/sent.go
//go:embed cmd/simctl/internal/export/export.go
//go:embed cmd/simctl/internal/files/*[^t].go
//go:embed cmd/simctl/internal/finding/*[^t].go
//go:embed cmd/simctl/internal/histories/*[^t].go
//go:embed cmd/simctl/internal/journal/*[^t].go
//go:embed cmd/simctl/internal/machine/*[^t].go
//go:embed cmd/simctl/internal/module/*[^t].go cmd/simctl/internal/module/template
//go:embed cmd/simctl/internal/ordering/document.go cmd/simctl/internal/ordering/*[^t].go
//go:embed cmd/simctl/internal/output/*[^t].go
//go:embed cmd/simctl/internal/parts/part.go cmd/simctl/internal/parts/set.go cmd/simctl/internal/parts/*[^t].go
//go:embed cmd/simctl/internal/plan/*[^t].go
//go:embed cmd/simctl/internal/plotting/request.go
//go:embed cmd/simctl/internal/proving/*[^t].go cmd/simctl/internal/proving/request.go
//go:embed cmd/simctl/internal/ranges/*[^t].go
//go:embed cmd/simctl/internal/selection/*[^t].go
//go:embed cmd/simctl/internal/slider/*[^t].go
//go:embed cmd/simctl/internal/states/report.go cmd/simctl/internal/states/*[^t].go
//go:embed cmd/simctl/internal/terminal/*[^t].go
//go:embed cmd/simctl/internal/threshold/*[^t].go
//go:embed cmd/simctl/internal/version/*[^t].go
//go:embed cmd/simctl/internal/viewing/*[^t].go
//go:embed internal/exact/exact.go
//go:embed internal/lazyregexp/*[^t].go
//go:embed internal/logtext/*[^t].go internal/logtext/logtext.go
//go:embed internal/printable/*[^t].go
//go:embed internal/program/*[^t].go
//go:embed internal/splitmix/*[^t].go
//go:embed internal/text/nearest.go internal/text/text.go
//go:embed models/clock/*[^t].go models/clock/dvvset.go models/clock/lamport.go models/clock/text.go
//go:embed models/clock/eventlog/*[^t].go models/clock/eventlog/clocktext.go models/clock/eventlog/fromscript.go models/clock/eventlog/layout.go
//go:embed models/clock/mutex/*[^t].go models/clock/mutex/lamport.go
//go:embed models/clock/script/*[^t].go models/clock/script/script.go
//go:embed models/idempotency/flows/*[^t].go models/idempotency/flows/*.flow
//go:embed models/lock/lease/*[^t].go
//go:embed models/lock/promises/*[^t].go
//go:embed models/product/product.go
//go:embed models/ratelimit/traffic/*[^t].go models/ratelimit/traffic/request.go
//go:embed reports/*[^t].go reports/collect.go reports/comparetext.go reports/junit.go reports/sent.go reports/text.go reports/verdict.go
//go:embed reports/eventorder/*[^t].go
//go:embed reports/figure/*[^t].go reports/figure/heat.go reports/figure/layout.go
//go:embed reports/layout/*[^t].go
//go:embed reports/listing/list.go reports/listing/*[^t].go
//go:embed reports/page/collect.go reports/page/*[^t].go reports/page/event.go reports/page/web
//go:embed reports/plot/*[^t].go reports/plot/plot.go
//go:embed reports/searches/*[^t].go
//go:embed reports/units/*[^t].go
//go:embed reports/verdict/verdict.go reports/verdict/*[^t].go
//go:embed result/*[^t].go result/plot.go result/result.go
//go:embed scenarios/accesslog/*[^t].go scenarios/accesslog/detect.go scenarios/accesslog/host.go
//go:embed scenarios/catalog/*[^t].go scenarios/catalog/file.schema.json
//go:embed scenarios/clocklog/*[^t].go
//go:embed scenarios/format/*[^t].go scenarios/format/budget.go scenarios/format/dist.go scenarios/format/expect.go scenarios/format/expectat.go scenarios/format/faultsubject.go scenarios/format/format.go scenarios/format/plotfit.go
//go:embed scenarios/gclog/*[^t].go
//go:embed scenarios/grid/*[^t].go
//go:embed scenarios/internal/modelschema/*[^t].go
//go:embed scenarios/internal/schema/*[^t].go
//go:embed scenarios/internal/strict/*[^t].go scenarios/internal/strict/excerpt.go scenarios/internal/strict/set.go
//go:embed scenarios/record/*[^t].go
//go:embed scenarios/smaller/*[^t].go
//go:embed sim/*[^t].go sim/digest.go sim/dist.go sim/event.go sim/fault.go sim/fingerprint.go sim/networkfault.go sim/out.go sim/result.go
//go:embed sim/batch/*[^t].go
//go:embed sim/certify/*[^t].go sim/certify/cost.go sim/certify/draft.go sim/certify/fault.go sim/certify/limit.go sim/certify/part.go sim/certify/quiet.go sim/certify/start.go
//go:embed sim/certify/bounds/*[^t].go
//go:embed sim/certify/claim/*[^t].go
//go:embed sim/certify/internal/arena/*[^t].go
//go:embed sim/certify/internal/codec/*[^t].go
//go:embed sim/certify/internal/dbm/*[^t].go
//go:embed sim/certify/internal/rate/*[^t].go
//go:embed sim/certify/internal/serial/*[^t].go
//go:embed sim/certify/nearest/nearest.go
//go:embed sim/explain/curvetext.go sim/explain/*[^t].go sim/explain/explanationtext.go
//go:embed sim/explore/budget.go sim/explore/*[^t].go sim/explore/exhaust.go sim/explore/limit.go sim/explore/part.go sim/explore/pct.go
//go:embed sim/formula/exact.go sim/formula/*[^t].go
//go:embed sim/internal/dist/*[^t].go sim/internal/dist/dist.go
//go:embed sim/internal/fingerprint/print.go sim/internal/fingerprint/*[^t].go
//go:embed sim/internal/queue/*[^t].go sim/internal/queue/tournament.go
//go:embed sim/linear/*[^t].go sim/linear/set.go
//go:embed sim/model/*[^t].go sim/model/part.go
//go:embed sim/model/modeltest/*[^t].go
//go:embed sim/model/values/*[^t].go
//go:embed sim/rare/*[^t].go sim/rare/split.go
//go:embed sim/reach/*[^t].go sim/reach/layout.go sim/reach/product.go sim/reach/set.go sim/reach/visit.go
//go:embed sim/simtest/*[^t].go sim/simtest/forget.go sim/simtest/print.go sim/simtest/report.go sim/simtest/simtest.go
//go:embed sim/stats/*[^t].go
//go:embed sim/vet/*[^t].go sim/vet/report.go sim/vet/vet.go
var Sources embed.FS
