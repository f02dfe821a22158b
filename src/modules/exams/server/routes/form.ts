import type { FastifyInstance } from 'fastify'
import { SchoolType } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { scoped } from '../../../../crud/scope.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { addFromLibrary } from '../form.ts'
import { actorOf, examInScope, idOf, textOf, valuesOf } from './examination.ts'

const idList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(',')).map(String).filter(isId)

/** Dictionaries the given codes name, with their rows in order, for showing a form. */
async function dictionariesOf(app: FastifyInstance, tenantId: string, codes: readonly string[]) {
  if (!codes.length) return {}
  const rows = async (table: 'dict' | 'dict_biz') =>
    app.db
      .selectFrom(table)
      .select(['code', 'dictKey', 'dictValue'])
      .where('code', 'in', [...codes])
      .where('dictKey', '<>', '-1')
      .where('isDeleted', '=', 0)
      .$if(table === 'dict_biz', query => query.where('tenantId', '=', tenantId))
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
  app.post(
    '/api/blade-signitems/examsignitems/addFromLibrary',
    { config: { access: { permission: 'examsignitems_add' } } },
    async request => {
      const values = valuesOf(request)
      const { id } = await examInScope(request, idOf(values, 'examId'))
      const ids = idList(values.itemsIds)
      if (!ids.length) throw refuse('input.invalid', { 说明: '请选择信息项' })
      return ok({ added: await addFromLibrary(app.db, id, ids, actorOf(request)) })
    },
  )
  app.get(
    '/api/blade-exam/examination/getFormInfo',
    { config: { access: { permission: 'examination_preview' } } },
    async request => {
      const exam = await examInScope(request, idOf(valuesOf(request)))
      const [items, files] = await Promise.all([
        app.db
          .selectFrom('examsignitems')
          .selectAll()
          .where('examId', '=', exam.id)
          .where('isDeleted', '=', 0)
          .orderBy('sort')
          .execute(),
        app.db
          .selectFrom('examsignfiles')
          .selectAll()
          .where('examId', '=', exam.id)
          .where('isDeleted', '=', 0)
          .orderBy('sort')
          .execute(),
      ])
      const codes = items.flatMap(item => [
        item.dictCode,
        ...((item.columns as { dictCode?: string }[] | null) ?? []).map(column => column.dictCode),
      ])
      const dicts = await dictionariesOf(app, exam.tenantId, [...new Set(codes.flatMap(code => code || []))])
      return ok({ exam: { id: exam.id, examName: exam.examName, examStatus: exam.examStatus }, items, files, dicts })
    },
  )
  app.get('/api/blade-items/items/getAllDictCodeBiz', { config: { access: 'staff' } }, async request => {
    const rows = await scoped(app, person(request), 'dict_biz')
      .select(['code', 'dictValue'])
      .where('dictKey', '=', '-1')
      .orderBy('sort')
      .execute()
    return ok(rows)
  })
  app.get('/api/blade-school/school/getSchoolList', { config: { access: 'signed-in' } }, async request => {
    const values = valuesOf(request)
    const limit = Math.min(50, Math.max(1, Number(textOf(values, 'limit')) || 20))
    const rows = await app.db
      .selectFrom('school')
      .select(['id', 'schoolName', 'schoolCode'])
      .where('tenantId', '=', person(request).tenantId)
      .where('isDeleted', '=', 0)
      .where('enable', '=', 1)
      .where('schoolType', '=', textOf(values, 'schoolType') === '2' ? SchoolType.examSite : SchoolType.college)
      .where('schoolName', 'like', `%${textOf(values, 'schoolName').replace(/[\\%_]/g, '\\$&')}%`)
      .orderBy('schoolCode')
      .limit(limit)
      .execute()
    return ok(rows)
  })
}
