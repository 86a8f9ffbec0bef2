#include "wavewright/report/page/assets.h"

namespace wavewright::report {

const std::string_view page_style = R"css(
:root{--bg:#f6f6f3;--surface:#fff;--ink:#1c2230;--soft:#596273;--line:#e0e2e7;--lane:#f1f2f5;--strong-line:#b8bec9;
--accent:#2e62b8;--accent-soft:#2e62b822;--base:#858d9b;--third:#b0761c;--fourth:#7a5bb0;--fifth:#1f7a6d;
--good:#1f7a6d;--bad:#b5521b;--bound:#c22f3d;--gutter:76px;
--map:#4a6fb5;--shuffle:#8a6bb5;--reduce:#c07a2e;--away:#cdd2da}
@media(prefers-color-scheme:dark){:root{--bg:#11141a;--surface:#191d25;--ink:#e7eaf0;--soft:#9ba5b5;--line:#2b313c;
--lane:#20252f;--strong-line:#4a5362;--accent:#7eabf2;--accent-soft:#7eabf226;--base:#8a94a5;--third:#dcaa55;--fourth:#b59ae6;--fifth:#5cc4b3;
--good:#5cc4b3;--bad:#ee9763;--bound:#ff7b86;--map:#7f9fe0;--shuffle:#b094dc;--reduce:#dfa05c;--away:#3b4452}}
*{box-sizing:border-box}
html{background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
font-variant-numeric:tabular-nums;scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:1480px;padding:0 clamp(16px,3vw,40px) 48px}
h1{font-size:1.55rem;line-height:1.2;margin:.1em 0 .5em;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:0 0 .15em;letter-spacing:-.005em}
p{margin:0}
small{color:var(--soft);font-size:.82em;font-weight:400}
b{font-weight:650}
code{font-size:.9em}
.top{padding:26px 0 8px}
.brand{color:var(--soft);font-size:.85rem}
nav{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:.9rem}
nav a{color:var(--accent);text-decoration:none}
nav a:hover{text-decoration:underline}
section{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:clamp(14px,2.2vw,28px);margin:16px 0;scroll-margin-top:12px}
.intro{color:var(--soft);max-width:78ch;margin-bottom:14px}
.headline{font-size:clamp(1.2rem,2.1vw,1.6rem);line-height:1.35;letter-spacing:-.01em;max-width:60ch;margin-bottom:.35em;text-wrap:balance}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(158px,1fr));margin:6px 0 22px;
border:1px solid var(--line);border-radius:8px;overflow:hidden}
.tile{box-shadow:1px 0 var(--line),0 1px var(--line);padding:11px 14px 12px}
.tile dt{color:var(--soft);font-size:.8rem}
.tile dd{margin:0}
.tile .value{font-size:1.45rem;line-height:1.3;font-weight:600;letter-spacing:-.01em}
.tile.main .value{color:var(--accent)}
.tile.late .value,.tile.late .note{color:var(--bad)}
.headline .missed{display:block}
.tile .note{color:var(--soft);font-size:.8rem;line-height:1.35}
table{border-collapse:collapse;width:100%;text-align:left}
.n{text-align:right;white-space:nowrap}
.bars caption{text-align:left;margin-bottom:4px}
.bars th{font-weight:500;white-space:nowrap;padding:4px 14px 4px 0;width:1%}
.bars .bar{padding:4px 0}
.bars .n{width:1%;padding-left:14px;font-weight:600}
.bars .n+.n{font-weight:400;color:var(--soft)}
.bars thead th{font-weight:400;color:var(--soft);font-size:.8rem;padding-bottom:0}
.bars thead .wide{width:auto}
.bars thead .n{padding:0 0 0 14px}
.bars tbody th small{display:block;line-height:1.3}
.track{position:relative;height:20px;background:var(--lane);border-radius:3px}
.fill{display:block;height:100%;border-radius:3px;background:var(--p)}
.p0{--p:var(--base)}.p1{--p:var(--accent)}.p2{--p:var(--third)}.p3{--p:var(--fourth)}.p4{--p:var(--fifth)}
.rule{position:absolute;top:0;bottom:0;width:0;border-left:1.5px solid var(--ink)}
.rule.bound{border-left:2px dashed var(--bound);filter:drop-shadow(0 0 1px var(--surface))}
.track .rule{top:-4px;bottom:-4px}
.legend{display:flex;flex-wrap:wrap;gap:3px 18px;color:var(--soft);font-size:.86rem;margin:2px 0 10px;align-items:center}
.legend b{color:var(--ink)}
.key{display:inline-flex;align-items:center;gap:6px}
.key{overflow-wrap:anywhere}
.key small{white-space:nowrap}
.swatch{display:inline-block;width:12px;height:12px;border-radius:3px;background:var(--job,var(--p));flex:none;margin-right:5px;vertical-align:-1px}
.key .swatch{margin:0}
.swatch.line{height:4px;width:18px;border-radius:2px;vertical-align:3px}
.swatch.dash{width:0;height:16px;border-left:2px dashed var(--bound);border-radius:0;background:none;margin:0 3px 0 4px}
.swatch.band{background:var(--accent-soft);outline:1px solid var(--line)}
.swatch.range{height:8px;width:20px;background:var(--strong-line);opacity:.75}
.swatch.diagonal,.swatch.whisker{height:0;border-top:1.5px solid var(--soft);border-radius:0;background:none}
.swatch.guess,.swatch.median,.swatch.p95{width:3px;height:14px;background:var(--ink);border-radius:0}
.swatch.p95{width:2px;height:10px;background:var(--third)}
.swatch.knee{width:10px;height:10px;border-radius:50%;background:var(--third)}
.swatch.deadline{width:18px;height:0;border-top:2px solid var(--bad);border-radius:0;background:none}
.slots .area{margin-right:12px}
.slots .area svg{border-bottom:1px solid var(--strong-line)}
.slots .knee-line{stroke:var(--third);stroke-width:1.5;stroke-dasharray:2 3}
.slots .bound-line{fill:none;stroke:var(--bound);stroke-width:1.5;stroke-dasharray:5 4}
.slots .deadline-line{stroke:var(--bad);stroke-width:2}
.slots .dot.idle{stroke-opacity:.35}
.slots .dot.knee-dot{stroke:var(--third);stroke-width:13;stroke-opacity:1}
.risk .area svg{border-bottom:1px solid var(--strong-line)}
.risk .draws{fill:var(--p);stroke:var(--surface);stroke-width:1;fill-opacity:.8}
.late{--p:var(--bad)}
.risk .median,.risk svg .p95{stroke:var(--ink);stroke-width:2}
.risk svg .p95{stroke-dasharray:6 4}
.risk svg .limit{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:2 3}
.risk .deadline-line{stroke:var(--bad);stroke-width:2}
.risk .swatch.deadline{width:0;height:15px;border:0;border-left:2px solid var(--bad);margin:0 2px}
.risk .swatch.p95{width:0;height:15px;background:none;border-left:2px dashed var(--ink);margin:0 2px}
.risk .swatch.limit{width:0;height:15px;border:0;border-left:2px dotted var(--soft);margin:0 2px}
.risks .part{background:var(--job)}
.bars.risks th{width:1%;white-space:nowrap}
.swatch.bound-line{width:18px;height:0;border-top:2px dashed var(--bound);border-radius:0;background:none}
.swatch.dotted{width:9px;height:9px;border-radius:50%;background:var(--accent)}
.swatch.meandot{width:7px;height:7px;border-radius:50%;background:var(--surface);border:2px solid var(--ink)}
.swatch.half{background:var(--map);opacity:.55;width:16px}
.scale{display:inline-flex;border-radius:3px;overflow:hidden}
.scale i{width:clamp(2px,1vw,5px);height:12px;background:var(--job)}
.f0{--p:var(--accent)}.f1{--p:var(--third)}.f2{--p:var(--fourth)}.f3{--p:var(--fifth)}.f4{--p:var(--bad)}.f5{--p:var(--base)}
.frontier .area{margin-right:12px;border-left:1px solid var(--strong-line);border-bottom:1px solid var(--strong-line)}
.frontier .plot+.plot .area{border:0}
.frontier .dot{stroke:var(--p)}
.frontier .dot.best{stroke:var(--ink);stroke-width:17;stroke-opacity:1}
.frontier .bound-line{fill:none;stroke:var(--bound);stroke-width:1.5;stroke-dasharray:5 4}
.frontier .deadline-line{stroke:var(--bad);stroke-width:2}
.frontier .swatch.deadline{width:0;height:15px;border:0;border-left:2px solid var(--bad);margin:0 2px}
.lease{fill:var(--p)}
.taken{stroke:var(--bound);stroke-width:3}
.leases{margin:18px 0}
.leases .area svg{border-bottom:1px solid var(--strong-line)}
.swatch.spot{width:9px;height:9px;border-radius:50%}
.swatch.chosen{width:12px;height:12px;border-radius:50%;background:none;border:3px solid var(--ink)}
.swatch.curve-line{width:18px;height:0;border-top:1.5px solid var(--base);border-radius:0;background:none}
figure{margin:0 0 22px}
section>figure:last-child{margin-bottom:0}
figcaption{font-weight:600;margin-bottom:2px}
.plot{display:grid;grid-template-columns:var(--gutter) minmax(0,1fr)}
.gutter{position:relative;font-size:.82rem;line-height:1.25;color:var(--soft);padding-right:10px}
.gutter b,.gutter small{display:block}
.gutter b{color:var(--ink);font-weight:600}
.gutter .level{position:absolute;right:8px;transform:translateY(50%);font-size:.78rem}
.area{position:relative;min-width:0}
.area svg,.chart svg{display:block;width:100%;overflow:visible}
.zoomable.zoomed{overflow-x:auto}
.zoomable .canvas{min-width:100%}
.zoomed .canvas{width:calc(var(--gutter) + (100% - var(--gutter))*var(--zoom))}
.zoomed .gutter{position:sticky;left:0;background:var(--surface);z-index:3}
.zoom,.colours{display:flex;flex-wrap:wrap;gap:6px;align-items:center;color:var(--soft);font-size:.86rem}
.zoom{grid-column:1/-1;margin-bottom:8px}
.zoom output{min-width:2.2em;text-align:center}
.zoom button,.colours select{font:inherit;color:var(--ink);background:var(--bg);border:1px solid var(--strong-line);border-radius:6px;min-width:28px;min-height:28px;padding:1px 8px;cursor:pointer}
.zoom button:disabled{opacity:.5;cursor:default}
.job-keys{display:contents}
details{margin-top:14px}
summary{cursor:pointer;padding:4px 0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
tr:focus-visible{outline-offset:-2px}
.scroll:focus-visible,.lane:focus-visible{outline-offset:0}
svg .at.at,.parts .at,.track .at{stroke:var(--ink);stroke-width:2.5;stroke-opacity:1;outline:2px solid var(--ink)}
svg .at.at{outline:0}
svg .dot.at.at{stroke-width:15}
svg .grid{stroke:var(--line);stroke-width:1;fill:none}
svg path,svg rect{vector-effect:non-scaling-stroke}
.fits{display:grid;grid-template-columns:repeat(auto-fill,minmax(320px,1fr));gap:6px 28px}
.fit .dot{stroke:var(--accent)}
h3{font-size:1rem;margin:18px 0 4px}
.axis{position:relative;height:20px;font-size:.78rem;color:var(--soft)}
.axis.second{height:18px}
.pin{position:absolute;transform:translateX(-50%);white-space:nowrap}
.pin.start{transform:none}
.pin.end{transform:translateX(-100%)}
.pin.bound{color:var(--bound)}
.pin.bound b,.pin.finish b{font-weight:650}
.panels{position:relative;padding-top:22px}
.panels .plot+.plot{margin-top:10px}
.gantt+.gantt{margin-top:30px}
.lane{position:relative;background:var(--lane)}
.lane svg .grid{stroke:var(--surface);stroke-width:1.5}
.job{fill:var(--job)}
.job rect{stroke:var(--lane);stroke-width:1}
.job rect.thin{stroke:none}
.job .merged{stroke:none;shape-rendering:crispEdges}
.dim .job{opacity:.16;transition:opacity .12s}
.dim .job.hot{opacity:1}
.dim .chip{opacity:.35}
.chip{position:absolute;transform:translate(-50%,-50%);background:var(--surface);color:var(--ink);font-size:11px;line-height:13px;
padding:0 4px;border-radius:3px;pointer-events:none;white-space:nowrap;opacity:.93}
.marks{position:absolute;left:var(--gutter);right:0;top:0;bottom:0;pointer-events:none}
.marks .rule{top:20px}
.marks .pin.finish{top:0;font-size:.82rem}
.saved{position:absolute;top:22px;bottom:0;display:flex;align-items:center;justify-content:center;text-align:center;line-height:1.3;
color:var(--good);font-size:.9rem;background:repeating-linear-gradient(135deg,transparent 0 6px,var(--line) 6px 7px)}
.saved span{background:var(--surface);padding:4px 8px;border-radius:5px}
.saved b{font-size:1.1rem}
.panels .plot.stacked+.stacked{margin-top:18px}
.stacked .level{color:var(--soft)}
.stacked .gutter b{margin-top:14px}
.curve{fill:none;stroke:var(--p);stroke-width:1.75;stroke-linejoin:round}
.curve.p0{stroke-width:1.5}
.soft{fill:var(--p);opacity:.13;stroke:none}
.use .area svg{border-bottom:1px solid var(--strong-line);border-top:1px dashed var(--line)}
.use .axis{border:0}
.use figcaption small{font-weight:400}
.use .legend{margin-bottom:8px}
.cursor{position:absolute;top:0;bottom:0;border-left:1px solid var(--soft);pointer-events:none}
.scroll{overflow-x:auto}
.scroll.tall{contain:content;max-height:620px;overflow:auto;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.data{font-size:.88rem}
.data th,.data td{padding:4px 8px;vertical-align:middle}
.data thead th,.data thead td{position:sticky;top:0;background:var(--surface);font-weight:600;font-size:.82rem;color:var(--soft);z-index:2;white-space:nowrap;
box-shadow:0 1px 0 var(--line);vertical-align:bottom}
.data thead tr.group th,.data thead tr.group td{box-shadow:none;color:var(--ink);height:30px}
.data thead tr.group+tr th{top:30px}
.data tbody th{font-weight:500;overflow-wrap:anywhere;min-width:7em}
.long th{white-space:nowrap}
.long tbody th,.long thead tr:last-child th:first-child{position:sticky;left:0;background:var(--surface);z-index:1}
.long thead tr:last-child th:first-child{z-index:3}
.data tbody th small{display:block;line-height:1.3}
.data tbody tr{border-top:1px solid var(--line)}
.data tbody tr:first-child{border-top:0}
.data tbody tr[data-j]:hover,.data tbody tr[data-tip]:hover{background:var(--lane)}
.data .first{padding-left:20px}
.data button{all:unset;cursor:pointer;color:inherit;font:inherit}
.data button:hover{color:var(--accent)}
.data button:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
.data th[aria-sort] button::after{content:" ↑"}
.data th[aria-sort=descending] button::after{content:" ↓"}
.chart{width:46%;min-width:150px}
.chart .wide{position:relative}
.data td.chart{padding-top:0;padding-bottom:0}
.data .chart.chart{padding-right:20px}
.profiles tbody{border-top:1px solid var(--line)}
.profiles tbody tr{border:0}
.profiles tbody th{vertical-align:top;width:17%;min-width:110px}
.profiles .phase{white-space:nowrap}
.profiles td{padding-top:2px;padding-bottom:2px}
.strong{font-weight:600}
.box .whisker{stroke:var(--p);stroke-width:1.25;fill:none}
.box .half{fill:var(--p);opacity:.5}
.box .median{stroke:var(--ink);stroke-width:2}
.mean,.dot{stroke-linecap:round;fill:none}
.mean{stroke:var(--ink);stroke-width:5}
.dot{stroke:var(--accent);stroke-width:9;stroke-opacity:.85}
.dot.shared{stroke-opacity:.3}
.many .dot{stroke-width:5;stroke-opacity:.4}
.pair{display:grid;gap:24px 36px;grid-template-columns:minmax(0,1fr)}
.scatter{max-width:560px;margin:0}
.scatter .area{border-left:1px solid var(--strong-line);border-bottom:1px solid var(--strong-line)}
.scatter .plot+.plot .area{border:0}
.scatter .legend{margin:6px 0 0 var(--gutter)}
.scatter .area svg{overflow:hidden}
svg .band{fill:var(--accent-soft)}
svg .diagonal{stroke:var(--soft);stroke-width:1.25;fill:none}
svg .range{fill:var(--strong-line);opacity:.75}
svg .guess{stroke:var(--ink);stroke-width:2.5}
svg .p95{stroke:var(--third);stroke-width:2}
.change{position:relative;min-width:130px}
.change i{position:absolute;top:50%;height:12px;margin-top:-6px;opacity:.28;border-radius:2px}
.change .sooner{right:50%;background:var(--good)}
.change .later{left:50%;background:var(--bad)}
.change span{position:relative}
.filter{margin-bottom:8px;font-size:.9rem;color:var(--soft)}
.filter input{font:inherit;color:var(--ink);background:var(--bg);border:1px solid var(--strong-line);border-radius:6px;padding:3px 9px;margin-left:4px}
html:not([data-ready]) :is(.filter,.hint){display:none}
#tip{position:fixed;z-index:9;pointer-events:none;background:var(--ink);color:var(--surface);font-size:.82rem;line-height:1.4;padding:6px 10px;
border-radius:6px;max-width:340px;white-space:pre-line;box-shadow:0 3px 14px #0004}
#tip[hidden]{display:none}
.map{--p:var(--map)}.shuffle{--p:var(--shuffle)}.reduce{--p:var(--reduce)}.master{--p:var(--shuffle)}.bad{--p:var(--bound)}
.w0{--p:var(--base)}.w1{--p:var(--strong-line)}.w2{--p:var(--soft)}.w3{--p:var(--good)}
.layer{fill:var(--p);opacity:.82;shape-rendering:crispEdges}
.limit{fill:none;stroke:var(--ink);stroke-width:1.25;stroke-dasharray:4 3}
.swatch.limit{height:0;border-top:1.5px dashed var(--ink);border-radius:0;background:none}
.curves{display:grid;gap:22px 36px;grid-template-columns:minmax(0,1fr)}
.curves figure{margin:0}
.gutter .node{position:absolute;left:0;right:8px;transform:translateY(-50%);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
text-align:right;font-size:.72rem;line-height:13px;color:var(--soft)}
.away{fill:var(--away)}
.over{fill:none;pointer-events:none}
.dim .over{opacity:.25}
.of-reduce{stroke:#000;stroke-opacity:.5}
.of-master{stroke:var(--surface);stroke-opacity:.75;stroke-dasharray:2 5}
.hatch{stroke-dasharray:2 3}
.hatch.failed,.tick.failed{stroke:var(--bound)}
.hatch.lost{stroke:var(--lane);stroke-opacity:.8}
.tick.lost{stroke:var(--ink)}
.between{stroke:var(--surface)}
.swatch.mark-reduce{background:linear-gradient(#00000080 0 0) 0 50%/100% 3px no-repeat,var(--strong-line);width:18px;border-radius:1px}
.swatch.mark-master{background:repeating-linear-gradient(90deg,var(--surface) 0 2px,transparent 2px 6px) 0 50%/100% 4px no-repeat,var(--strong-line);width:18px;border-radius:1px}
.swatch.mark-failed{background:repeating-linear-gradient(90deg,var(--bound) 0 2px,transparent 2px 5px),var(--strong-line);width:18px;border-radius:1px}
.swatch.mark-lost{background:repeating-linear-gradient(90deg,var(--lane) 0 2px,transparent 2px 5px),var(--strong-line);width:18px;border-radius:1px}
.swatch.tick-failed,.swatch.tick-lost{width:3px;height:14px;border-radius:0;background:var(--bound)}
.swatch.tick-lost{background:var(--ink)}
.swatch.mark-away{background:var(--away);width:18px;border-radius:1px}
.parts{display:flex;height:26px;border-radius:4px;overflow:hidden;margin-bottom:14px;background:var(--lane)}
.part{display:block;background:var(--p);height:100%}
.parts .part+.part{box-shadow:inset 1px 0 var(--surface)}
.track .part{position:absolute;top:0;border-radius:2px;min-width:1px}
.parted th{white-space:normal;width:38%}
.parted .track{height:14px}
.load{position:relative;min-width:96px}
.load i{position:absolute;left:8px;top:50%;height:12px;margin-top:-6px;max-width:calc(100% - 16px);background:var(--accent);opacity:.22;border-radius:2px}
.load span{position:relative}
.met{color:var(--good)}.missed{color:var(--bad)}
@media(min-width:1080px){.curves{grid-template-columns:repeat(2,minmax(0,1fr))}}
@media(min-width:1080px){.pair{grid-template-columns:minmax(340px,2fr) minmax(0,3fr)}}
@media(max-width:1000px){.extra{display:none}}
@media(max-width:760px){:root{--gutter:62px}.data th,.data td{padding-left:5px;padding-right:5px}.chart{width:40%;min-width:190px}.chart .axis .pin:nth-child(even),.profiles .count{display:none}.bars th{white-space:normal;overflow-wrap:anywhere}.compared th{min-width:6em}}
@media(max-width:560px){.bars.risks .n,.axis .pin.bound{white-space:normal}.parted .bar,.data .chart.chart,.chart-key,.compared .bar,.compared .wide{display:none}.axis .pin:first-child:nth-last-child(n+6)~.pin:nth-child(even){display:none}}
@media print{:root{--bg:#fff}html{font-size:11px}section{border:0;padding:0;break-inside:auto}figure,.tiles{break-inside:avoid}
.scroll.tall{max-height:none;overflow:visible}.data thead th,.data thead td{position:static}nav,.filter,.hint,#tip{display:none!important}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

}  // namespace wavewright::report
