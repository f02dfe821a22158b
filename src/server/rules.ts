import type { Handlers, HooksOf } from '../crud/rule-types.ts'
import { copyCode, testSource } from '../modules/development/server/handlers.ts'
import { codeHooks, datasourceHooks, modelHooks } from '../modules/development/server/hooks.ts'
import {
  examinationHooks,
  positionHooks,
  roomHooks,
  signFileHooks,
  signItemHooks,
  stageHooks,
} from '../modules/exams/server/hooks.ts'
import { changeItemStatus } from '../modules/exams/server/items.ts'
import { schoolHooks } from '../modules/exams/server/map-link.ts'
import { libraryHooks, withPattern } from '../modules/exams/server/patterns.ts'
import { examUserHooks } from '../modules/exams/server/staff/hooks.ts'
import { stageActs } from '../modules/exams/server/stage-acts.ts'
import { disableStage } from '../modules/exams/server/stage-use.ts'
import { changeJob } from '../modules/jobs/server/change.ts'
import { jobInfoHooks, jobInstanceHooks, jobServerHooks } from '../modules/jobs/server/hooks.ts'
import { runJob } from '../modules/jobs/server/run.ts'
import { sendHandlers } from '../modules/messages/server/handlers.ts'
import { sendHooks } from '../modules/messages/server/hooks.ts'
import { enableSms } from '../modules/messages/server/sms/enable.ts'
import { probeSms } from '../modules/messages/server/sms/probe.ts'
import { noticeFileHooks, noticeHooks } from '../modules/notices/server/hooks.ts'
import { filesHooks, newsHooks } from '../modules/notices/server/publish.ts'
import { remindReaders } from '../modules/notices/server/remind.ts'
import { payHandlers } from '../modules/payment/server/handlers.ts'
import { payHooks } from '../modules/payment/server/hooks.ts'
import { removeFromList } from '../modules/reduction/server/handlers.ts'
import { resultHooks } from '../modules/results/server/hooks.ts'
import { tipHooks } from '../modules/review/server/tips.ts'
import { registerHandlers, ticketHandlers, ticketHooks } from '../modules/tickets/server/handlers.ts'
import { flowDeploymentHooks } from '../modules/workflow/server/hooks.ts'
import { menuHooks } from '../platform/access/server/menu.ts'
import { roleHooks } from '../platform/access/server/role.ts'
import { apiScopeHooks, dataScopeHooks } from '../platform/access/server/scope.ts'
import { topmenuHooks } from '../platform/access/server/topmenu.ts'
import { idclaimHandlers } from '../platform/accounts/server/claim-decision.ts'
import { idclaimHooks } from '../platform/accounts/server/claim-holder.ts'
import { deptHooks } from '../platform/accounts/server/dept.ts'
import { userHandlers } from '../platform/accounts/server/handlers.ts'
import { userHooks } from '../platform/accounts/server/hooks.ts'
import { updateRequestHandlers, updateRequestHooks } from '../platform/accounts/server/update-request.ts'
import { attachHooks } from '../platform/attachments/server/hooks.ts'
import { enableStorage, probeStorage, storageHooks } from '../platform/attachments/server/storage.ts'
import { verify } from '../platform/audit/server/verify.ts'
import { clientHooks } from '../platform/auth/server/client-hooks.ts'
import { oauthSourceHandlers, oauthSourceHooks } from '../platform/auth/server/oauth-source.ts'
import { dictBizHooks, dictHooks } from '../platform/settings/server/dict.ts'
import { channelHooks } from '../platform/settings/server/keys.ts'
import { paramHooks } from '../platform/settings/server/param.ts'
import { regionHooks } from '../platform/settings/server/region.ts'
import { tenantHooks } from '../platform/tenants/server/tenant.ts'
import { tenantHandlers } from '../platform/tenants/server/tenant-handlers.ts'

/** Rules beyond the definitions, by resource; each resource that has any keeps them in a file of its own. */
export const hooks: HooksOf = {
  user: userHooks,
  userupdateinfo: updateRequestHooks,
  idclaim: idclaimHooks,
  role: roleHooks,
  menu: menuHooks,
  topmenu: topmenuHooks,
  param: paramHooks,
  'data-scope': dataScopeHooks,
  'api-scope': apiScopeHooks,
  dept: deptHooks,
  dict: dictHooks,
  'dict-biz': dictBizHooks,
  region: regionHooks,
  tenant: tenantHooks,
  examination: examinationHooks,
  examitems: positionHooks,
  examinationitem: stageHooks,
  items: libraryHooks,
  examsignitems: withPattern(signItemHooks),
  examsignfiles: signFileHooks,
  examuser: examUserHooks,
  examroom: roomHooks,
  school: schoolHooks,
  attach: attachHooks,
  notice: noticeHooks,
  'flow-deployment': flowDeploymentHooks,
  'job-info': jobInfoHooks,
  'job-instance': jobInstanceHooks,
  'job-server': jobServerHooks,
  client: clientHooks,
  datasource: datasourceHooks,
  model: modelHooks,
  code: codeHooks,
  result: resultHooks,
  ...payHooks,
  ...sendHooks,
  noticefile: noticeFileHooks,
  news: newsHooks,
  files: filesHooks,
  examinetip: tipHooks,
  examinationticket: ticketHooks,
  sms: channelHooks('sms'),
  oss: storageHooks,
  'oauth-source': oauthSourceHooks,
}

/** Actions that compute, by resource and action. Actions with `set` need none; those with a route by hand neither. */
export const handlers: Handlers = {
  user: userHandlers,
  tenant: tenantHandlers,
  userupdateinfo: updateRequestHandlers,
  idclaim: idclaimHandlers,
  examinationitem: { disable: disableStage, ...stageActs },
  items: { changeStatus: changeItemStatus },
  ...payHandlers,
  ...sendHandlers,
  sms: { enable: enableSms, probe: probeSms },
  examinationticket: ticketHandlers,
  ticketnotice: registerHandlers,
  noticeread: { remind: remindReaders },
  oss: { enable: enableStorage, probe: probeStorage },
  auditlog: { verify },
  'job-info': { start: changeJob, pause: changeJob, run: runJob },
  datasource: { test: testSource },
  code: { copy: copyCode },
  'oauth-source': oauthSourceHandlers,
  postreductionname: { removeName: removeFromList },
}
