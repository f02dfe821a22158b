import { inflateSync } from 'node:zlib'
import { create, type Font } from 'fontkit'

/** `plain` is the stream unpacked; `stream` the same as text. */
type Objects = Map<string, { head: string; stream: string; plain: Buffer }>

/** The objects of a PDF as our writer makes them: plain dictionaries, deflated streams. */
function objectsOf(pdf: Buffer): Objects {
  const text = pdf.toString('latin1')
  const objects: Objects = new Map()
  for (const match of text.matchAll(/(\d+) 0 obj\n/g)) {
    const from = match.index + match[0].length
    const end = text.indexOf('endobj', from)
    const begin = text.indexOf('stream\n', from)
    const own = begin !== -1 && begin < end
    const head = text.slice(from, own ? begin : end)
    const body = own ? pdf.subarray(begin + 7) : Buffer.alloc(0)
    const deflated = own && /FlateDecode/.test(head) && !/Subtype \/Image/.test(head)
    const plain = deflated ? inflateSync(body) : Buffer.alloc(0)
    objects.set(match[1]!, { head, plain, stream: plain.toString('latin1') })
  }
  return objects
}

/** Glyph numbers to text, from a font's ToUnicode table: without it a reader cannot select or search. */
function glyphsOf(cmap: string): Map<number, string> {
  const glyphs = new Map<number, string>()
  for (const range of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)) {
    const texts = [...range[2]!.matchAll(/<([0-9a-f ]*)>/gi)].map(one =>
      Buffer.from(one[1]!.replace(/ /g, ''), 'hex').swap16(),
    )
    const first = Number.parseInt(range[1]!, 16)
    for (const [i, text] of texts.entries()) glyphs.set(first + i, text.toString('utf16le'))
  }
  return glyphs
}

function pageText(content: string, fonts: Map<string, Map<number, string>>): string {
  let font: Map<number, string> | undefined
  let text = ''
  for (const token of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (token[1]) font = fonts.get(token[1])
    else {
      for (const run of token[2]!.matchAll(/<([0-9a-f]+)>/gi)) {
        for (const glyph of run[1]!.match(/.{4}/g) ?? []) text += font?.get(Number.parseInt(glyph, 16)) ?? '\ufffd'
      }
    }
    if (token[2] !== undefined) text += '\n'
  }
  return text
}

/** The text of a PDF's pages as a reader would copy it, a line per run of text, in the order drawn. */
export function pdfText(pdf: Buffer): string[] {
  const objects = objectsOf(pdf)
  const all = [...objects.values()]
  const fonts = new Map<string, Map<number, string>>()
  for (const { head } of all) {
    for (const [, name, id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)?.head ?? '')?.[1]
      if (table) fonts.set(name!, glyphsOf(objects.get(table)?.stream ?? ''))
    }
  }
  const pages = all.filter(({ head }) => /\/Type \/Page\n/.test(head))
  return pages.map(({ head }) =>
    pageText(objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? '')?.stream ?? '', fonts),
  )
}

/** The fonts in a PDF as a viewer reads them, each with the character of every glyph by the glyph's number. */
export function embeddedFonts(pdf: Buffer): { font: Font; codes: (number | undefined)[] }[] {
  const objects = objectsOf(pdf)
  const headOf = (id: string | undefined) => objects.get(id ?? '')?.head ?? ''
  return [...objects.values()].flatMap(({ head }) => {
    const table = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1]
    if (!table) return []
    const inner = headOf(/\/DescendantFonts \[(\d+) 0 R\]/.exec(head)?.[1])
    const file = /\/FontFile2 (\d+) 0 R/.exec(headOf(/\/FontDescriptor (\d+) 0 R/.exec(inner)?.[1]))?.[1]
    const codes: (number | undefined)[] = []
    for (const [id, text] of glyphsOf(objects.get(table)?.stream ?? '')) codes[id] = text.codePointAt(0)
    return [{ font: create(objects.get(file ?? '')?.plain ?? Buffer.alloc(0)), codes }]
  })
}

/** What each page of a PDF draws, in the words of the format. */
export function pageContents(pdf: Buffer): string[] {
  const objects = objectsOf(pdf)
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\n/.test(head))
  return pages.map(({ head }) => objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? '')?.stream ?? '')
}
