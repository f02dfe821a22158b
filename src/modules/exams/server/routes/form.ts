import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { SchoolType } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { scoped } from '../../../../crud/scope.ts'
import type { Live } from '../../../../platform/database/live.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { schools } from '../../../../screens/contract.ts'
import { addFromLibrary, dictionaryCodes, formInfo } from '../../contract.ts'
import { addItems } from '../form.ts'
import { examInScope, idOf, textOf } from './examination.ts'

/** Dictionaries the given codes name, with their rows in order, for showing a form. */
async function dictionariesOf(db: Live, codes: readonly string[]) {
  if (!codes.length) return {}
  const rows = async (table: 'dict' | 'dict_biz') =>
    db
      .selectFrom(table)
      .select(['code', 'dictKey', 'dictValue'])
      .where('code', 'in', [...codes])
      .where('dictKey', '<>', '-1')
      .orderBy('sort')
      .execute()
  const found = [...(await rows('dict')), ...(await rows('dict_biz'))]
  return Object.fromEntries(
    codes.map(code => [
      code,
      found.filter(one => one.code === code).map(one => ({ key: one.dictKey, value: one.dictValue })),
    ]),
  )
}

/** Building an exam's form: fields from the library, and the form as its builder sees it. */
export async function formRoutes(app: FastifyInstance): Promise<void> {
  serve(app, addFromLibrary, async ({ values, request }) => {
    const { id } = await examInScope(request, idOf(values, 'examId'))
    const ids = commaList(values.itemsIds).filter(isId)
    if (!ids.length) throw refuse('input.invalid', { 说明: '请选择信息项' })
    const { userId } = person(request)
    return { added: await addItems(liveAs(app, person(request)), id, ids, { userId, now: app.now() }) }
  })
  serve(app, formInfo, async ({ values, request }) => {
    const exam = await examInScope(request, idOf(values))
    const db = liveAs(app, person(request))
    const [items, files] = await Promise.all([
      db.selectFrom('examsignitems').selectAll().where('examId', '=', exam.id).orderBy('sort').execute(),
      db.selectFrom('examsignfiles').selectAll().where('examId', '=', exam.id).orderBy('sort').execute(),
    ])
    const codes = items.flatMap(item => [
      item.dictCode,
      ...((item.columns as { dictCode?: string }[] | null) ?? []).map(column => column.dictCode),
    ])
    const dicts = await dictionariesOf(db, [...new Set(codes.flatMap(code => code || []))])
    return {
      exam: { id: exam.id, examName: exam.examName, examStatus: exam.examStatus },
      items: items.map(item => ({
        ...item,
        showWhen: item.showWhen as Record<string, string[]> | null,
        rules: item.rules as Record<string, unknown> | null,
        columns: item.columns as { itemCode: string; itemName: string; inputType: number }[] | null,
      })),
      files: files.map(file => ({ ...file, showWhen: file.showWhen as Record<string, string[]> | null })),
      dicts,
    }
  })
  serve(app, dictionaryCodes, async ({ request }) =>
    scoped(app, person(request), 'dict_biz')
      .select(['code', 'dictValue'])
      .where('dictKey', '=', '-1')
      .orderBy('sort')
      .execute(),
  )
  serve(app, schools, async ({ values, request }) => {
    const limit = Math.min(50, Math.max(1, Number(textOf(values, 'limit')) || 20))
    return liveAs(app, person(request))
      .selectFrom('school')
      .select(['id', 'schoolName', 'schoolCode'])
      .where('enable', '=', 1)
      .where('schoolType', '=', textOf(values, 'schoolType') === '2' ? SchoolType.examSite : SchoolType.college)
      .where('schoolName', 'like', `%${textOf(values, 'schoolName').replace(/[\\%_]/g, '\\$&')}%`)
      .orderBy('schoolCode')
      .limit(limit)
      .execute()
  })
}
