import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isSwitch, type Parameter } from '#engine'
import { parameters } from '#schemas/parameters'
import { inEnglish } from '../../src/platform/i18n/english.ts'
import { refusals } from '../../src/server/refusals.ts'
import { type Word, wordsOf } from './words.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string): string => (text ? `\`${text.replaceAll('`', "'")}\`` : '')
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')
}

function wordSection({ name, form, text, parts }: Word): string {
  const members = parts.map(one => [code(`${one.name}${one.optional ? '?' : ''}`), code(one.type), one.text])
  return [
    `### ${name}`,
    form && `\`\`\`ts\n${form}\n\`\`\``,
    text,
    parts.length > 0 && table(['member', 'type', 'meaning'], members),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** The words of the definition language, file by file. @param root the folder of the project */
function wordsPage(root: string): string {
  const folder = path.join(root, 'src/engine')
  const files = readdirSync(folder).filter(name => /^(?!index).*(?<!\.test)\.ts$/.test(name))
  const sections = files.toSorted().map(file => {
    const words = wordsOf(file, readFileSync(path.join(folder, file), 'utf8'))
    return `## ${file.replace(/\.ts$/, '')}\n\n${words.map(wordSection).join('\n\n')}`
  })
  return `# Words of the definition language\n\n${sections.join('\n\n')}\n`
}

const valuesOf = ({ field, choices, open, unit = '', ...rest }: Parameter): string => {
  if (isSwitch({ field, choices, open, ...rest } as Parameter)) return 'on, off'
  if (choices) {
    const known = Object.entries(choices).map(([value, word]) => `\`${value}\` ${inEnglish(word)}`)
    return [...known, ...(open ? ['others'] : [])].join(', ')
  }
  const { minimum, maximum, maxLength } = field
  if (field.kind === 'integer') return `${minimum ?? ''} … ${maximum ?? ''} ${inEnglish(unit)}`.trim()
  return maxLength ? `text of up to ${maxLength} characters` : 'text'
}

/** What administrators may set while the server runs. */
function parametersPage(): string {
  const rows = Object.entries<Parameter>(parameters).map(([key, one]) => [
    `\`${key}\``,
    one.field.title,
    `${inEnglish(one.field.title)}. ${inEnglish(one.field.help ?? '')}`,
    valuesOf(one),
    one.preset && `\`${one.preset}\``,
    one.platform ? 'platform' : 'tenant',
  ])
  const heads = ['key', '名称', 'meaning', 'values', 'preset', 'set by']
  return `# Parameters\n\n系统管理 / 参数管理.\n\n${table(heads, rows)}\n`
}

/** What the server refuses, by name. */
function refusalsPage(): string {
  const rows = Object.entries(refusals)
    .toSorted(([, [a]], [, [b]]) => a - b)
    .map(([name, [number, status, chinese, english]]) => [`\`${name}\``, `${number}`, `${status}`, chinese, english])
  return `# Refusals\n\n${table(['name', 'code', 'HTTP', '中文', 'English'], rows)}\n`
}

/** The pages of the reference by file name. @param root the folder of the project */
export const pages = (root: string): Readonly<Record<string, string>> => ({
  'words.md': wordsPage(root),
  'parameters.md': parametersPage(),
  'refusals.md': refusalsPage(),
})
