import { attachHooks } from './attach/hooks.ts'
import { channelHooks } from './content/keys.ts'
import { filesHooks, newsHooks } from './content/publish.ts'
import { enableStorage, probeStorage, storageHooks } from './content/storage.ts'
import { tipHooks } from './content/tips.ts'
import { copyCode, testSource } from './develop/handlers.ts'
import { codeHooks, datasourceHooks, modelHooks } from './develop/hooks.ts'
import { examinationHooks, positionHooks, roomHooks, signFileHooks, signItemHooks, stageHooks } from './exam/hooks.ts'
import { schoolHooks } from './exam/map-link.ts'
import { libraryHooks, withPattern } from './exam/patterns.ts'
import { stageActs } from './exam/stage-acts.ts'
import { disableStage } from './exam/stage-use.ts'
import { examUserHooks } from './exam-staff/hooks.ts'
import { flowDeploymentHooks } from './flow/hooks.ts'
import { changeItemStatus } from './items.ts'
import { changeJob } from './job/change.ts'
import { jobInfoHooks, jobInstanceHooks, jobServerHooks } from './job/hooks.ts'
import { runJob } from './job/run.ts'
import { verify } from './log/verify.ts'
import { topmenuHooks } from './menu/topmenu.ts'
import { noticeFileHooks, noticeHooks } from './notice/hooks.ts'
import { remindReaders } from './notice/remind.ts'
import { payHandlers } from './pay/handlers.ts'
import { payHooks } from './pay/hooks.ts'
import { removeFromList } from './reduction/handlers.ts'
import { resultHooks } from './result/hooks.ts'
import { sendHandlers } from './send/handlers.ts'
import { sendHooks } from './send/hooks.ts'
import { enableSms } from './sms/enable.ts'
import { probeSms } from './sms/probe.ts'
import { clientHooks } from './system/client.ts'
import { deptHooks } from './system/dept.ts'
import { dictBizHooks, dictHooks } from './system/dict.ts'
import { menuHooks } from './system/menu.ts'
import { oauthSourceHandlers, oauthSourceHooks } from './system/oauth-source.ts'
import { paramHooks } from './system/param.ts'
import { regionHooks } from './system/region.ts'
import { roleHooks } from './system/role.ts'
import { apiScopeHooks, dataScopeHooks } from './system/scope.ts'
import { tenantHooks } from './system/tenant.ts'
import { tenantHandlers } from './system/tenant-handlers.ts'
import { registerHandlers, ticketHandlers, ticketHooks } from './ticket/handlers.ts'
import type { Handlers, HooksOf } from './types.ts'
import { idclaimHandlers } from './user/claim-decision.ts'
import { idclaimHooks } from './user/claim-holder.ts'
import { userHandlers } from './user/handlers.ts'
import { userHooks } from './user/hooks.ts'
import { updateRequestHandlers, updateRequestHooks } from './user/update-request.ts'

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
