package report

// style is the page's style sheet. The eight colours of the series are told apart
// with each of the usual kinds of colour blindness, in their order, on both
// backgrounds. Plots are drawn 400 units wide; their letters are larger in units
// where the page is narrow.
const style = `:root {
	color-scheme: light dark;
	--page: #f9f9f7; --paper: #fcfcfb; --ink: #0b0b0b; --soft: #52514e; --grid: #e1e0d9; --edge: #c3c2b7;
	--c1: #2a78d6; --c2: #1baf7a; --c3: #eda100; --c4: #008300; --c5: #4a3aa7; --c6: #e34948; --c7: #e87ba4; --c8: #eb6834;
}
@media (prefers-color-scheme: dark) {
	:root {
		--page: #0d0d0d; --paper: #1a1a19; --ink: #ffffff; --soft: #c3c2b7; --grid: #2c2c2a; --edge: #55544f;
		--c1: #3987e5; --c2: #199e70; --c3: #c98500; --c4: #008300; --c5: #9085e9; --c6: #e66767; --c7: #d55181; --c8: #d95926;
	}
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; max-width: 45rem; color: var(--soft); overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.25rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
.facts div { background: var(--paper); border: 1px solid var(--grid); border-radius: .5rem; padding: .5rem .6rem; }
.facts dt { color: var(--soft); font-size: .85rem; }
.facts dd { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; margin: 1rem 0; }
figure { margin: 0; max-width: 37rem; min-width: 0; background: var(--paper); border: 1px solid var(--grid); border-radius: .5rem; padding: .8rem; }
figcaption b { display: block; }
figcaption { font-size: .9rem; color: var(--soft); overflow-wrap: anywhere; }
figcaption b { color: var(--ink); font-size: 1rem; }
svg { display: block; width: 100%; height: auto; margin: .5rem 0; }
svg text { font: 13px system-ui, sans-serif; fill: var(--soft); }
@media (min-width: 40rem) { svg text { font-size: 9.5px; } }
.grid { stroke: var(--grid); } .edge { stroke: var(--edge); }
.grid, .edge, .line { fill: none; vector-effect: non-scaling-stroke; }
.line { stroke-width: 2px; stroke-linejoin: round; stroke-linecap: round; }
.s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); } .s4 { --c: var(--c4); }
.s5 { --c: var(--c5); } .s6 { --c: var(--c6); } .s7 { --c: var(--c7); } .s8 { --c: var(--c8); }
.line { stroke: var(--c); } .dot, .rect { fill: var(--c); } .dot { stroke: var(--paper); stroke-width: .7; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1rem; list-style: none; margin: .3rem 0; padding: 0; font-size: .85rem; }
.legend li::before { content: ""; display: inline-block; width: .75rem; height: .75rem; border-radius: .2rem; background: var(--c); margin-right: .4rem; }
.table { overflow-x: auto; margin: 1rem 0; max-width: 100%; }
table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
th, td { text-align: left; font-weight: normal; padding: .25rem .6rem; border-bottom: 1px solid var(--grid); vertical-align: top; }
thead th { color: var(--soft); border-bottom-color: var(--edge); vertical-align: bottom; }
tbody th, td { overflow-wrap: anywhere; min-width: 3rem; max-width: 30rem; }
tbody th { min-width: 7rem; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bar { min-width: 9rem; background: linear-gradient(color-mix(in srgb, var(--c1) 30%, transparent) 0 0) no-repeat left / var(--v) 100%; }
.shade { background: color-mix(in srgb, var(--c1) var(--v), transparent); }
details { font-size: .85rem; } summary { color: var(--soft); cursor: pointer; }
@media print { body { background: none; } figure, tr { break-inside: avoid; } }
`
