import type { FastifyInstance } from 'fastify'
import { ExamineResult, ExamRole } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { Refusal, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { loadForm } from '../../exams/server/candidate/exam-form.ts'
import { examine } from './decide.ts'
import { findReviewed } from './find.ts'
import { paperLines } from './papers.ts'

/** What became of one of several. */
export interface BatchLine {
  id: string
  ok: boolean
  code: number
  msg: string
}

const levels = (precheck: unknown): number[] =>
  Array.isArray(precheck) ? precheck.map(one => Number((one as { level?: number }).level ?? 0)) : []

async function pass(app: FastifyInstance, caller: Caller, id: string): Promise<BatchLine> {
  try {
    const { row } = await findReviewed(app, caller, id, { roles: [ExamRole.firstReviewer] })
    const isLacking = paperLines(await loadForm(caller.db, row.examId), row).length > 0
    if (isLacking || levels(row.precheck).includes(3)) throw refuseSaying('row.wrongState', '预检有不符项，请逐份审核')
    await examine(app, caller, { signUpId: id, examineResult: ExamineResult.approved, version: row.version })
    return { id, ok: true, code: 200, msg: '审核通过' }
  } catch (error) {
    if (error instanceof Refusal) return { id, ok: false, code: error.code, msg: error.message }
    throw error
  }
}

/** Passes several unreviewed sign-ups whose pre-check found nothing unfit, each on its own; one line for each. */
export async function passAll(app: FastifyInstance, caller: Caller, ids: readonly string[]): Promise<BatchLine[]> {
  const lines: BatchLine[] = []
  for (const id of ids) lines.push(await pass(app, caller, id))
  return lines
}
