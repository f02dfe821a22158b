import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { type CodePurpose, codePurposes, sendPhoneCode } from '../../../../platform/auth/contract.ts'
import { captchaOf } from '../../../../platform/auth/server/routes/captcha-headers.ts'
import { sendCode } from '../../../../platform/auth/server/sms/code.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { askedTenant } from '../../../../platform/http/server/asked-tenant.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { textOf, type Values } from '../../../exams/server/routes/examination.ts'
import { sendDirectly } from '../../contract.ts'
import { sendDirect } from '../direct.ts'

function phoneOf(values: Values): string {
  const phone = textOf(values, 'phone')
  const wrong = phoneProblem(phone)
  if (wrong) throw refuse('input.invalid', { 说明: wrong }, [{ field: 'phone', msg: wrong }])
  return phone
}

function purposeOf(values: Values): CodePurpose {
  const given = textOf(values, 'purpose') || 'login'
  const purpose = codePurposes.find(one => one === given)
  if (!purpose) throw refuse('input.invalid', { 说明: '用途不正确' })
  return purpose
}

/** Text messages beyond the orders: codes for whoever is not signed in, and single messages by staff. */
export default async function smsRoutes(app: FastifyInstance): Promise<void> {
  app.jobs.every({ name: 'sms-receipts', title: '取回短信回执', seconds: 300, work: () => app.sms.pull() })
  serve(app, sendPhoneCode, async ({ values, request }) => {
    const tenantId = askedTenant(request)
    const phone = phoneOf(values)
    const purpose = purposeOf(values)
    // First a captcha: nobody makes our machines send messages by the thousand.
    const { key, answer } = captchaOf(request)
    if (app.config.captchaMode && !(await app.captcha.check(key, answer))) throw refuse('auth.captchaWrong')
    return { id: await sendCode(app, { tenantId, phone, purpose, ip: request.ip }) }
  })
  serve(app, sendDirectly, ({ values, request }) => sendDirect(app, person(request), values))
}
