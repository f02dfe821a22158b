import type { SignFiles } from '#schemas/sign-up/signup-json'
import type { Position } from '../../../exams/contract.ts'
import type { Content, SignItem } from '../../../exams/rules/sign-item.ts'
import type { ExamForm, MySignup } from './exam-form.ts'

/** All a candidate fills in for one exam. */
export interface Sheet {
  unit: string
  type: string
  code: string
  unit2: string
  type2: string
  code2: string
  adjustAccept: boolean
  content: Content
  files: SignFiles[]
  /** Ticked by the person, never by us, and not kept. */
  consent: boolean
}

const blank: Sheet = {
  unit: '',
  type: '',
  code: '',
  unit2: '',
  type2: '',
  code2: '',
  adjustAccept: false,
  content: {},
  files: [],
  consent: false,
}

/** The sheet as the server has it; blank without a sign-up. */
export function sheetOf(mine: MySignup | ''): Sheet {
  if (!mine) return blank
  return {
    unit: mine.unit,
    type: mine.type,
    code: mine.code,
    unit2: mine.unit2,
    type2: mine.type2,
    code2: mine.code2,
    adjustAccept: mine.adjustAccept === 1,
    content: mine.content || {},
    files: mine.files || [],
    consent: false,
  }
}

/** A sheet with another position. A second choice that is the same one is dropped. */
export function withPosition(sheet: Sheet, { unit, type, code }: Position): Sheet {
  const second = sheet.code2 === code ? { unit2: '', type2: '', code2: '' } : {}
  return { ...sheet, unit, type, code, ...second }
}

/** What travels of a sheet: the server takes nothing else. */
export function bodyOf(sheet: Sheet): Record<string, unknown> {
  const { unit, type, code, unit2, type2, code2, content, adjustAccept, files } = sheet
  return {
    ...(code && { unit, type, code }),
    ...(code2 && { unit2, type2, code2 }),
    adjustAccept: adjustAccept ? 1 : 0,
    content,
    files: files
      .filter(slot => slot.list.length > 0)
      .map(({ fileCode, list }) => ({ fileCode, list: list.map(({ attachId }) => ({ attachId })) })),
  }
}

/** What of a sheet may be changed now. */
export interface Open {
  position: boolean
  item: (code: string) => boolean
  file: (code: string) => boolean
  /** Only some things may be changed. */
  partly: boolean
}

/**
 * What may be changed: everything, or of a returned sign-up what the reviewer marked, together with items that appear
 * because of a marked one.
 */
export function openParts({ canEdit, editScope, items }: Pick<ExamForm, 'canEdit' | 'editScope' | 'items'>): Open {
  if (!canEdit) return { position: false, item: () => false, file: () => false, partly: false }
  if (editScope.length === 0) return { position: true, item: () => true, file: () => true, partly: false }
  const open = new Set(editScope)
  const follows = (item: SignItem): boolean => Object.keys(item.showWhen ?? {}).some(code => open.has(`item:${code}`))
  for (let size = -1; size !== open.size; ) {
    size = open.size
    for (const item of items) if (follows(item)) open.add(`item:${item.itemCode}`)
  }
  return {
    position: open.has('position'),
    item: code => open.has(`item:${code}`),
    file: code => open.has(`file:${code}`),
    partly: true,
  }
}
