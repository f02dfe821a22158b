import {
  ParseSpeeds,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { activeNames } from './pdf-text.ts'

/** Objects and pages of a document at most; the longest certificates have a tenth of it. */
const limits = { objects: 50_000, pages: 1000 }

/** What must not be named anywhere, as a key or a value. */
const active = new Set([...activeNames, 'EmbeddedFiles', 'XFA', 'Encrypt'].map(name => name.toLowerCase()))
/** Keys under which scripts and other files stand. */
const doors = new Set(['JS', 'EF', 'RF'])
/** Keys of a stream whose bytes are in another file. */
const elsewhere = ['F', 'FFilter', 'FDecodeParms'].map(name => PDFName.of(name))
const [type, first, filter, parameters] = ['Type', 'First', 'Filter', 'DecodeParms'].map(name => PDFName.of(name)) as [
  ...[PDFName, PDFName, PDFName, PDFName],
]

/** Thrown by the first object that is not to be. */
class Unfit extends Error {}

const isActive = (name: PDFName): boolean => active.has(name.decodeText().toLowerCase())

/** Whether a stream is packed objects that are not plainly so. */
function isOddPack(dict: PDFDict): boolean {
  const isPack = dict.get(type) === PDFName.of('ObjStm')
  if (!isPack && !dict.has(first)) return false
  const how = dict.get(filter)
  const only = how instanceof PDFArray && how.size() === 1 ? how.get(0) : how
  return !isPack || dict.has(parameters) || (only !== undefined && only !== PDFName.of('FlateDecode'))
}

function isDictFit(dict: PDFDict): boolean {
  return dict.keys().every(key => !doors.has(key.decodeText()) && !isActive(key))
}

const isStreamFit = ({ dict }: PDFStream): boolean => !isOddPack(dict) && !elsewhere.some(key => dict.has(key))

/** Looks at an object and everything it holds, but not at what it refers to: that is an object of its own. */
function check(object: PDFObject): void {
  const open: PDFObject[] = [object]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one instanceof PDFName && isActive(one)) throw new Unfit()
    if (one instanceof PDFStream) {
      if (!isStreamFit(one)) throw new Unfit()
      open.push(one.dict)
    }
    if (one instanceof PDFDict) {
      if (!isDictFit(one)) throw new Unfit()
      open.push(...one.values())
    }
    if (one instanceof PDFArray) for (let at = 0; at < one.size(); at++) open.push(one.get(at))
  }
}

/** Calls `look` for each object the parser meets: of two with one number, only the later would be left afterwards. */
async function withEach(look: (object: PDFObject) => void, work: () => Promise<unknown>): Promise<void> {
  const { assign } = PDFContext.prototype
  PDFContext.prototype.assign = function (this: PDFContext, ref: PDFRef, object: PDFObject) {
    look(object)
    assign.call(this, ref, object)
  }
  try {
    await work()
  } finally {
    PDFContext.prototype.assign = assign
  }
}

/**
 * Reads a PDF as viewers do, object by object, packed ones too: whether it has a page, is as it should be throughout, and
 * no object of it acts, holds files, or lies elsewhere. One document at a time.
 */
export async function areObjectsFit(bytes: Uint8Array): Promise<boolean> {
  const count = { objects: 0, pages: 0 }
  const look = (object: PDFObject) => {
    count.objects++
    if (object instanceof PDFDict && object.get(type) === PDFName.of('Page')) count.pages++
    if (count.objects > limits.objects || count.pages > limits.pages) throw new Unfit()
    check(object)
  }
  const how = { updateMetadata: false, throwOnInvalidObject: true, parseSpeed: ParseSpeeds.Fastest }
  try {
    await withEach(look, () => PDFDocument.load(bytes, how))
  } catch {
    return false
  }
  return count.pages > 0
}
