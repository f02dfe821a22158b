import type { SignFiles } from '../../../engine/sign-files.ts'
import type { Content } from '../../../engine/sign-item.ts'
import { optionText } from '../../../engine/sign-text.ts'
import type { Storage } from '../../channels/storage/index.ts'
import { signFormPdf } from '../../documents/sign-form-pdf.ts'
import type { Caller, SignupRow } from './caller.ts'
import { findExam, loadForm, wordingDicts } from './exam-form.ts'
import { postNames } from './my-list.ts'

const sexWords: Readonly<Record<number, string>> = { 1: '男', 2: '女' }

/** HTML as paragraphs of plain text. */
function paragraphs(html: string): string[] {
  const named: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' }
  return html
    .replace(/<(br|\/p|\/li|\/h\d|\/div)[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot);/g, (_, name: string) => named[name] ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
}

async function photoOf({ db }: Caller, storage: Storage, id: string | null): Promise<Buffer | null> {
  if (!id) return null
  const row = await db.selectFrom('attach').select('name').where('id', '=', id).executeTakeFirst()
  return row ? storage.get(row.name).catch(() => null) : null
}

/** The printed form of a sign-up; a draft is marked as one. The caller has made sure that it may be seen. */
export async function formPdf(
  caller: Caller,
  storage: Storage,
  row: SignupRow,
): Promise<{ name: string; bytes: Buffer }> {
  const { db, vault, now } = caller
  const content = row.content as Content
  const [exam, form, names] = await Promise.all([
    findExam(db, row.tenantId, row.examId),
    loadForm(db, row.examId),
    postNames(db, [row]),
  ])
  const dicts = await wordingDicts(db, row.tenantId, form.items, content)
  const place = (unit: string, code: string, type?: string | null) => ({
    ...{ unit: optionText(dicts.recruit_unit, unit), code, postName: names(row.examId, code) },
    ...(type ? { type: optionText(dicts.post_type, type) } : {}),
  })
  const bytes = await signFormPdf({
    ...{ examName: exam.examName, signNo: row.signNo, draft: row.signStatus === 0, submitTime: row.submitTime },
    ...{ name: row.name, sex: sexWords[row.sex] ?? '', birthday: row.birthday },
    ...{ idCard: vault.open(row.idCard), phone: row.phone ? vault.open(row.phone) : '' },
    photo: await photoOf(caller, storage, row.photo),
    position: place(row.unit, row.code, row.type),
    second: row.code2 ? place(row.unit2 ?? '', row.code2) : null,
    adjust: exam.allowAdjust === 1 ? (row.adjustAccept === 1 ? '是' : '否') : null,
    ...{ items: form.items, type: row.type, content, dicts, promise: paragraphs(exam.promise) },
    files: (row.files as SignFiles[]).flatMap(slot => slot.list.map(() => slot.fileName ?? slot.fileCode)),
    madeAt: now,
  })
  return { name: `报名表_${row.signNo}_${row.name}.pdf`, bytes }
}
