import { JSDOM, VirtualConsole } from 'jsdom'

/** What somebody hostile writes into a text that others read: each would call `boom` in a browser that believes it. */
export const markup: readonly string[] = [
  '<script>boom()</script>',
  '<SCRIPT SRC=data:text/javascript,boom()></SCRIPT>',
  '<scr<script>ipt>boom()</scr</script>ipt>',
  '<script\u0000>boom()</script>',
  '</p><script>boom()</script>',
  '<script type="module">boom()</script>',
  '<noscript><p title="</noscript><img src=x onerror=boom()>">',
  '<template><script>boom()</script></template>',
  '<img src=x onerror=boom()>',
  '<img src=x onerror="boom()" style="display:none">',
  '<IMG SRC="x" ONERROR="boom()">',
  '<img/src="x"/onerror=boom()>',
  '<img src=x:x onerror\u0009=\u0009boom()>',
  '<img src="x` `<script>boom()</script>"` `>',
  '<img """><script>boom()</script>">',
  '<img src="javascript:boom()">',
  '<img srcset="x" onload=boom() onerror=boom()>',
  '<image src=x onerror=boom()>',
  '<svg onload=boom()>',
  '<svg/onload=boom()>',
  '<svg><script>boom()</script></svg>',
  '<svg><animate onbegin=boom() attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:boom()"><text y="20">x</text></a></svg>',
  '<svg><style><img src=x onerror=boom()></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=boom()&gt;">',
  '<math href="javascript:boom()">x</math>',
  '<a href="javascript:boom()">x</a>',
  '<a href="JaVaScRiPt:boom()">x</a>',
  '<a href=" javascript:boom()">x</a>',
  '<a href="java\u0009script:boom()">x</a>',
  '<a href="java\u000ascript:boom()">x</a>',
  '<a href="&#106;avascript:boom()">x</a>',
  '<a href="&#x6A;&#x61;vascript&colon;boom()">x</a>',
  '<a href="\u0001javascript:boom()">x</a>',
  '<a href="vbscript:boom()">x</a>',
  '<a href="data:text/html,<script>boom()</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5ib29tKCk8L3NjcmlwdD4=">x</a>',
  '<a href="https://example.org" onclick="boom()">x</a>',
  '<a href="#" onmouseover=boom()>x</a>',
  '<a target="_blank" href="javascript:boom()//https://example.org">x</a>',
  '<p onclick="boom()">x</p>',
  '<p style="background:url(javascript:boom())">x</p>',
  '<p style="width:expression(boom())">x</p>',
  '<p style="behavior:url(#x)" onfocus=boom() tabindex=1 autofocus>x</p>',
  '<div style="position:fixed;inset:0;z-index:9999" onmouseenter=boom()>x</div>',
  '<style>@import "javascript:boom()"; p { animation: x 1s }</style><p onanimationstart=boom()>x</p>',
  '<link rel=stylesheet href="javascript:boom()">',
  '<meta http-equiv="refresh" content="0;url=javascript:boom()">',
  '<base href="javascript:boom()//">',
  '<iframe src="javascript:boom()"></iframe>',
  '<iframe srcdoc="<script>parent.boom()</script>"></iframe>',
  '<object data="javascript:boom()"></object>',
  '<embed src="javascript:boom()">',
  '<form action="javascript:boom()"><button>x</button></form>',
  '<button form="f" formaction="javascript:boom()">x</button>',
  '<input onfocus=boom() autofocus>',
  '<select onchange=boom()><option>1</select>',
  '<textarea onkeydown=boom()></textarea>',
  '<details open ontoggle=boom()>x</details>',
  '<video><source onerror=boom()></video>',
  '<audio src=x onerror=boom()>',
  '<marquee onstart=boom()>x</marquee>',
  '<body onload=boom() onpageshow=boom()>',
  '<table background="javascript:boom()"><td background="javascript:boom()">x</td></table>',
  '<!--<img src="--><img src=x onerror=boom()//">',
  '<![CDATA[<script>boom()</script>]]>',
  '<xmp><p title="</xmp><img src=x onerror=boom()>">',
]

const elements = 'script,style,iframe,frame,object,embed,svg,math,form,input,button,link,meta,base,template,noscript'
const runs = /^[\s\p{Cc}]*(javascript|vbscript|data:(?!image\/(png|jpe?g|gif|webp)))/iu
const addresses = ['href', 'src', 'action', 'formaction', 'xlink:href', 'background', 'data', 'srcdoc', 'srcset']

function harmOf({ tagName, attributes }: Element): string[] {
  const bad = [...attributes].filter(
    ({ name, value }) =>
      /^on/i.test(name) ||
      (addresses.includes(name) && runs.test(value)) ||
      (name === 'style' && /url\(|expression|position|behavior/i.test(value)),
  )
  return bad.map(({ name, value }) => `${tagName} ${name}=${value}`)
}

let inert: Document | undefined

/** What of a piece of HTML could run, reach out or cover the page, as a browser would read it; empty for harmless HTML. */
export function harmIn(html: string): string[] {
  inert ??= new JSDOM('<!doctype html><body></body>').window.document
  const place = inert.body
  place.innerHTML = html
  const strange = [...place.querySelectorAll(elements)].map(one => one.tagName)
  return [...strange, ...[...place.querySelectorAll('*')].flatMap(harmOf)]
}

const events = [
  'load',
  'error',
  'click',
  'mouseover',
  'mouseenter',
  'focus',
  'toggle',
  'begin',
  'animationstart',
  'change',
  'keydown',
  'start',
]

/** Whether anything of a piece of HTML calls `boom` in a page that runs scripts, when everything that can happen to it happens. */
export function isLive(html: string): boolean {
  const quiet = { virtualConsole: new VirtualConsole() }
  const { window } = new JSDOM('<!doctype html><body></body>', { runScripts: 'dangerously', ...quiet })
  let calls = 0
  Object.assign(window, { boom: () => void calls++ })
  const { document } = window
  document.body.innerHTML = html
  const run = (text: string) => document.body.append(Object.assign(document.createElement('script'), { text }))
  // What a browser runs when it reads a page, and not when a script writes into it.
  for (const { text } of document.querySelectorAll<HTMLScriptElement>('script')) run(text)
  for (const one of document.querySelectorAll('*'))
    for (const event of events) one.dispatchEvent(new window.Event(event, { cancelable: true }))
  for (const { href } of document.querySelectorAll('a')) if (/^javascript:/i.test(href)) run(decodeURI(href.slice(11)))
  window.close()
  return calls > 0
}
