import { commaList } from '#engine'
import type { SignFiles } from '#schemas/sign-up/signup-json'
import { matches } from '../../../engine/condition.ts'
import { type Content, conditionOf, on, type ShowWhen } from './sign-item.ts'

/** A file an exam asks for: a row of `examsignfiles`. Sizes in KB. */
export interface FileItem {
  fileCode: string
  fileName: string
  required?: number | boolean | null
  minNum?: number | null
  maxNum?: number | null
  maxSize?: number | null
  exts?: string | null
  showWhen?: ShowWhen | null
  sort?: number | null
  enable?: number | boolean | null
}

/** A file an exam asks for, with all that its slot needs to be drawn. */
export interface FileSlot extends FileItem {
  fileDesc?: string
  isPhoto: number
  photoW?: number
  photoH?: number
  sample?: string
}

/** The position chosen: conditions may name `unit`, `type` and `code` beside item codes. */
export interface Choice {
  unit?: string | null
  type?: string | null
  code?: string | null
}

export interface FileProblem {
  fileCode: string
  fileName: string
  msg: string
}

/** All files of one sign-up together, in bytes. */
const totalLimit = 50 * 1024 * 1024

/** The files asked of this candidate, in order. */
export function askedFiles<T extends FileItem>(fileItems: readonly T[], content: Content, choice: Choice): T[] {
  const values = { ...content, ...choice }
  return fileItems
    .filter(item => (item.enable ?? 1) !== 0 && item.enable !== false && matches(values, conditionOf(item.showWhen)))
    .sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0))
}

function slotProblem(item: FileItem, list: SignFiles['list']): string | null {
  const least = on(item.required) ? Math.max(1, item.minNum ?? 1) : 0
  const most = item.maxNum ?? 5
  const maxSize = item.maxSize ?? 5120
  const exts = commaList(item.exts ?? 'jpg,jpeg,png,pdf').map(ext => ext.toLowerCase())
  if (list.length === 0 && least > 0) return `请上传${item.fileName}`
  if (list.length < least) return `${item.fileName}至少上传${least}份`
  if (list.length > most) return `${item.fileName}最多上传${most}份`
  const bad = list.find(file => !exts.includes(file.ext.toLowerCase().replace(/^\./, '')))
  if (bad) return `${item.fileName}不支持${bad.ext}格式，可用${exts.join('、')}`
  return list.some(file => file.size > maxSize * 1024) ? `${item.fileName}单个不能超过${maxSize}KB` : null
}

/**
 * What is missing or unfit among the files of a sign-up, by slot; empty when they may be handed in. Slots that are not
 * asked of this candidate are reported too, so that nothing is stored that nobody asked for.
 */
export function missingFiles(
  files: readonly SignFiles[],
  fileItems: readonly FileItem[],
  content: Content,
  choice: Choice,
): FileProblem[] {
  const asked = askedFiles(fileItems, content, choice)
  const problems: FileProblem[] = asked.flatMap(item => {
    const list = files.filter(slot => slot.fileCode === item.fileCode).flatMap(slot => slot.list)
    const msg = slotProblem(item, list)
    return msg ? [{ fileCode: item.fileCode, fileName: item.fileName, msg }] : []
  })
  const strange = files.filter(slot => slot.list.length > 0 && !asked.some(item => item.fileCode === slot.fileCode))
  for (const { fileCode, fileName = fileCode } of strange)
    problems.push({ fileCode, fileName, msg: `${fileName}无需上传` })
  const total = files.flatMap(slot => slot.list).reduce((sum, file) => sum + file.size, 0)
  if (total > totalLimit) problems.push({ fileCode: '', fileName: '附件', msg: '附件合计不能超过50MB' })
  return problems
}
