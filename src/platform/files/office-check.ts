import { refuse } from '../http/server/refusal.ts'
import { partsOf, readArchive } from './archive.ts'
import { advice } from './file-advice.ts'

const unfit = () => refuse('file.contentInvalid', { 做法: advice.office })

/** Parts that run something or carry other files: macros, controls, objects, add-ins. */
const active =
  /(^|\/)(vbaProject\w*\.bin|vbaData\.xml|activeX|embeddings|attachedToolbars\.bin|macrosheets|customUI)(\/|$)/i
/** A relation to something outside that is fetched when the document is opened; links to click are none. */
const fetched =
  /<(?:\w+:)?Relationship\s(?=[^>]*TargetMode\s*=\s*["']External["'])(?=[^>]*Type\s*=\s*["'][^"']*\/(?:attachedTemplate|oleObject|frame|subDocument|externalLink\w*|image|control)["'])/i

/** The part each kind of document is in, by ending. */
const main: Readonly<Record<string, string>> = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml' }
const contents = '[Content_Types].xml'

/** Paths that would leave the folder an archive is unpacked to, or that readers show otherwise than they are. */
const misleading = /^\/|^[A-Za-z]:|\\|(^|\/)\.\.(\/|$)|[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
/** Files in an archive that run when somebody clicks them. */
const programs =
  /\.(exe|dll|com|scr|pif|cpl|msi|msp|bat|cmd|ps1|vbs|vbe|js|jse|wsf|wsh|hta|jar|lnk|reg|chm|iso|img|html?|svg|xlsm|docm|pptm|xll)[. ]*$/i

function checkNames(zip: Buffer): string[] {
  const names = partsOf(zip).map(part => part.name)
  if (names.some(name => misleading.test(name))) throw unfit()
  return names
}

/**
 * Refuses (file.contentInvalid) a document that is not what its ending says, holds too much once unpacked, runs macros
 * or controls, carries other files, or fetches something when opened.
 * @param ext docx or xlsx
 */
export async function checkOffice(zip: Buffer, ext: string): Promise<void> {
  const parts = await readArchive(zip, name => name === contents || name.endsWith('.rels'))
  const names = checkNames(zip)
  const types = parts.get(contents)?.toString('utf8') ?? ''
  const isKind = names.includes(main[ext] ?? '') && types !== '' && !/macroEnabled/i.test(types)
  if (!isKind || names.some(name => active.test(name))) throw unfit()
  for (const [name, bytes] of parts) if (name !== contents && fetched.test(bytes.toString('utf8'))) throw unfit()
}

/**
 * Refuses (file.contentInvalid) an archive that holds too much once unpacked, programs, or paths that lead out of it.
 */
export async function checkZip(zip: Buffer): Promise<void> {
  await readArchive(zip, () => false)
  if (checkNames(zip).some(name => programs.test(name))) throw unfit()
}
