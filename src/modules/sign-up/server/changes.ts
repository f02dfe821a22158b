import { FormInputType } from '#schemas/dictionaries'
import type { Change, SignFiles } from '#schemas/sign-up/signup-json'
import { isBlank, isSame } from '../../../engine/blank.ts'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Content, SignItem } from '../../exams/rules/sign-item.ts'
import { showValue } from '../../exams/rules/sign-text.ts'

/** What a candidate decides: the position, the form and the files. */
export interface Sheet {
  unit: string
  type: string
  code: string
  unit2: string | null
  type2: string | null
  code2: string | null
  adjustAccept: number
  content: Content
  files: readonly SignFiles[]
}

const idsOf = (files: readonly SignFiles[], code: string): string[] =>
  files.filter(slot => slot.fileCode === code).flatMap(slot => slot.list.map(file => file.attachId))

const namesOf = (files: readonly SignFiles[], code: string): string =>
  files
    .filter(slot => slot.fileCode === code)
    .flatMap(slot => slot.list.map(file => file.name))
    .join('、')

const positionFields = ['unit', 'type', 'code', 'unit2', 'type2', 'code2', 'adjustAccept'] as const

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]

/** What differs between two sheets; everything that is filled in when there was none before. */
export function changesOf(before: Sheet | null, after: Sheet): Change[] {
  const old: Pick<Sheet, 'content' | 'files'> = before ?? { content: {}, files: [] }
  const position = positionFields
    .filter(field => before && !isSame(before[field], after[field]))
    .map((field): Change => ({ target: 'position', code: field, from: before?.[field] ?? '', to: after[field] ?? '' }))
  const items = union(Object.keys(old.content), Object.keys(after.content))
    .filter(code => !isSame(old.content[code], after.content[code]))
    .map((code): Change => ({ target: 'item', code, from: old.content[code] ?? '', to: after.content[code] ?? '' }))
  const slots = union(
    old.files.map(slot => slot.fileCode),
    after.files.map(slot => slot.fileCode),
  )
  const files = slots
    .filter(code => !isSame(idsOf(old.files, code), idsOf(after.files, code)))
    .map((code): Change => ({ target: 'file', code, from: namesOf(old.files, code), to: namesOf(after.files, code) }))
  return [...position, ...items, ...files]
}

const positionLabels: Readonly<Record<string, string>> = {
  unit: '报考单位',
  type: '岗位类别',
  code: '岗位代码',
  unit2: '调剂单位',
  type2: '调剂岗位类别',
  code2: '调剂岗位代码',
  adjustAccept: '服从调剂',
}

const positionDict: Readonly<Record<string, string>> = {
  unit: 'recruit_unit',
  unit2: 'recruit_unit',
  type: 'post_type',
  type2: 'post_type',
  adjustAccept: 'yes_no',
}

/** A change in words, for people. */
export interface WordedChange {
  target: Change['target']
  code: string
  label: string
  from: string
  to: string
}

/** Puts changes into words with the labels of a form, in the order of the form. */
export function wordChanges(
  changes: readonly Change[],
  form: { items: readonly SignItem[]; files: readonly { fileCode: string; fileName: string }[] },
  dicts: Dicts,
): WordedChange[] {
  const place = ({ target, code }: Change) =>
    target === 'position' ? -1 : form.items.findIndex(one => target === 'item' && one.itemCode === code) >>> 0
  const sorted = [...changes].sort((a, b) => place(a) - place(b))
  return sorted.map(({ target, code, from, to }) => {
    const item = form.items.find(one => one.itemCode === code)
    const dictCode = positionDict[code] ?? null
    const plain: SignItem = {
      itemCode: code,
      itemName: positionLabels[code] ?? code,
      inputType: FormInputType.text,
      dictCode,
    }
    const shown = target === 'item' && item ? item : target === 'position' ? plain : null
    const label = target === 'file' ? form.files.find(file => file.fileCode === code)?.fileName : shown?.itemName
    const word = (value: unknown) => (isBlank(value) ? '' : shown ? showValue(shown, value, dicts) : String(value))
    return { target, code, label: label ?? code, from: word(from), to: word(to) }
  })
}
