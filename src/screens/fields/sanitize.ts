/** Elements of formatted text that are shown; everything else is unwrapped to its text or dropped. */
const ALLOWED = new Set(
  'A B BLOCKQUOTE BR CODE DEL DIV EM H1 H2 H3 H4 H5 H6 HR I IMG INS LI OL P PRE S SPAN STRONG SUB SUP TABLE TBODY TD TH THEAD TR U UL'.split(
    ' ',
  ),
)
/** Elements whose text is no text for people. */
const DROPPED = new Set(['SCRIPT', 'STYLE', 'IFRAME', 'OBJECT', 'EMBED', 'SVG', 'MATH', 'TEMPLATE', 'NOSCRIPT', 'FORM'])
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  A: ['href', 'title'],
  IMG: ['src', 'alt', 'width', 'height'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan'],
}
/** Classes the editor gives to alignment, indent and size. */
const CLASS = /^ql-(align|indent|size|direction)-[\w-]+$/
const LINK = /^(https?:|mailto:|tel:|\/(?!\/)|#)/i
const PICTURE = /^(https?:|data:image\/(png|jpe?g|gif|webp);|\/(?!\/))/i

function cleanAttributes(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    const allowed = ATTRIBUTES[element.tagName]?.includes(name)
    const address = name === 'href' ? LINK : name === 'src' ? PICTURE : undefined
    const isClass = name === 'class' && value.split(/\s+/).every(one => CLASS.test(one))
    if (!isClass && (!allowed || (address && !address.test(value.trim())))) element.removeAttribute(name)
  }
  if (element.tagName === 'A') {
    element.setAttribute('rel', 'noopener noreferrer')
    element.setAttribute('target', '_blank')
  }
}

function cleanChildren(parent: Element): void {
  for (const child of [...parent.children]) {
    if (DROPPED.has(child.tagName.toUpperCase())) {
      child.remove()
      continue
    }
    cleanChildren(child)
    if (ALLOWED.has(child.tagName)) cleanAttributes(child)
    else child.replaceWith(...child.childNodes)
  }
}

function sanitizedBody(html: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  cleanChildren(body)
  return body
}

/** Formatted text without anything that runs, loads frames or looks like a form. Parsed in an inert document. */
export const sanitize = (html: string): string => sanitizedBody(html).innerHTML

/** The same as nodes to be put into the page. */
export const sanitizedNodes = (html: string): Node[] => [...sanitizedBody(html).childNodes]

/** The words of formatted text, for one line of a table. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const dropped of body.querySelectorAll('script,style')) dropped.remove()
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim()
}
