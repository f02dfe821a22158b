import type { FastifyRequest } from 'fastify'
import { commaList, type Settable } from '#engine'
import { noticefile } from '#resources/notices/noticefile'
import { AttachVisible, NoticeScope, NoticeType, SureState } from '#schemas/dictionaries'
import type { Notice } from '#schemas/notices/notice'
import type { Noticefile } from '#schemas/notices/noticefile'
import { resourceOf } from '../../../crud/lookup.ts'
import { type HookContext, type Hooks, on } from '../../../crud/rules.ts'
import { changeable, isLimited } from '../../../crud/scope.ts'
import { claimFiles, dropFiles } from '../../../platform/attachments/server/claim.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { addFiles, checkRoom } from './files.ts'

/** A notice on its way into the database: the files that arrived with it, and its id once it is stored. */
interface Sending {
  files: readonly string[]
  id: string
}

const sendings = new WeakMap<FastifyRequest, Sending>()

/** Notes the uploaded files that belong to the notice this request is about to store. @returns what then holds its id */
export function withFiles(request: FastifyRequest, files: readonly string[]): Readonly<Sending> {
  const sending = { files, id: '' }
  sendings.set(request, sending)
  return sending
}

const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** Whom it is for must be said, and only people who are meant one by one can be asked to confirm. */
function checkAudience(row: Partial<Notice>): void {
  const { scope1, scope2, examId, noticeType, needSure, releaseTime, endTime } = row
  if (scope1 === NoticeScope.examCandidates && !examId && !scope2) throw wrong('examId', '请选择关联考试')
  if (scope1 === NoticeScope.stageCandidates && !scope2) throw wrong('scope2', '请选择考试项目')
  if (needSure === 1 && noticeType !== NoticeType.notice) throw wrong('needSure', '只有通知可以要求确认')
  if (endTime && Number(releaseTime) >= Number(endTime)) throw wrong('endTime', '撤下时间应晚于发布时间')
}

const listed = (list: string): string[] => [...new Set(commaList(list))]

/**
 * The exams that a notice addresses beside the one it names.
 * @throws input.invalid when one of them is not the caller's to change
 */
async function addressedExams(
  { app, person, trx }: HookContext,
  { scope1, scope2 }: Partial<Notice>,
): Promise<string[]> {
  const ids = listed(scope2 ?? '')
  if (ids.length === 0) return []
  if (scope1 === NoticeScope.stageCandidates) {
    const stages = await changeable(app, person, 'examinationitem', trx)
      .select(['id', 'examId'])
      .where('id', 'in', ids)
      .execute()
    if (stages.length < ids.length) throw wrong('scope2', '考试项目不存在，请重新选择')
    return [...new Set(stages.map(one => one.examId))]
  }
  const exams = await changeable(app, person, 'examination', trx).select('id').where('id', 'in', ids).execute()
  if (exams.length < ids.length) throw wrong('scope2', '考试不存在，请重新选择')
  return exams.map(one => one.id)
}

/** The exam whose staff manage a notice: the one it names, or the only one it addresses. */
async function examOf(ctx: HookContext, row: Partial<Notice>): Promise<Settable<typeof Notice>> {
  const [exam, ...more] = await addressedExams(ctx, row)
  if (row.examId || !exam) return {}
  if (more.length > 0 && isLimited(ctx.person, resourceOf('notice'))) throw wrong('examId', '请选择关联考试')
  return more.length > 0 ? {} : { examId: exam }
}

/** A changed text is confirmed again; what was out stays for whoever looks back at it. */
export const noticeHooks: Hooks<typeof Notice> = {
  async beforeSubmit(ctx, given, before) {
    const isSent = before?.scope1 === NoticeScope.recipients || given.scope1 === NoticeScope.recipients
    if (isSent) throw wrong('scope1', '发给指定接收人的通知由发送订单产生，不能新增或修改，可以撤回')
    // What is only for some of the candidates of an exam says nothing when it is for everybody.
    const { scope1, noticeType } = { ...before, ...given }
    const isScoped = scope1 === NoticeScope.examCandidates || scope1 === NoticeScope.stageCandidates
    const unscoped = isScoped ? {} : { scope2: null, scopeState: null }
    const calm = noticeType === NoticeType.announcement ? { needSure: 0 as const } : {}
    const whole = { ...before, ...given, ...unscoped, ...calm }
    checkAudience(whole)
    ctx.set({ ...unscoped, ...calm, ...(await examOf(ctx, whole)) })
  },
  async afterSubmit({ db, person, request }, row, before) {
    const { id } = row
    const sending = sendings.get(request)
    if (sending) sending.id = id
    await addFiles({ db, person }, id, sending?.files ?? [])
    if (!before || (row.content === before.content && row.title === before.title)) return
    await db
      .updateTable('notifyread')
      .set({ sureState: SureState.read, sureTime: null })
      .where('noticeId', '=', id)
      .where('sureState', '=', SureState.confirmed)
      .execute()
    await db.updateTable('notice').set({ sureNum: 0 }).where('id', '=', id).execute()
  },
}

/** A file attached to a notice by hand takes its name, size and kind from the upload. */
export const noticeFileHooks: Hooks<typeof Noticefile> = {
  async beforeSubmit({ db, person, set }, given, before) {
    if (before) {
      const moved = (['noticeId', 'attachId'] as const).find(name => given[name] && given[name] !== before[name])
      if (moved) throw wrong(moved, '附件不能改挂，请删除后重新上传')
      return
    }
    const { noticeId = '', attachId = '' } = given
    await checkRoom(db, noticeId, 1)
    const [file] = await claimFiles(db, person, [attachId], {
      owner: 'notice',
      ownerId: noticeId,
      visible: AttachVisible.ownerAndStaff,
    })
    set({ ...file, downNum: 0 })
  },
}

/** The upload goes with its attachment to a notice, also when the notice itself goes. */
export const dropNoticeFiles = on(noticefile, 'remove', ({ db, rows, now }) =>
  dropFiles(
    db,
    rows.map(row => row.attachId),
    now,
  ),
)
