import type { Resource } from '#engine'
import { examination } from './exam/examination.ts'
import { examinationitem } from './exam/examinationitem.ts'
import { examitems } from './exam/examitems.ts'
import { examroom } from './exam/examroom.ts'
import { examsignfiles } from './exam/examsignfiles.ts'
import { examsignitems } from './exam/examsignitems.ts'
import { examuser } from './exam/examuser.ts'
import { items } from './exam/items.ts'
import { school } from './exam/school.ts'
import { typecode } from './exam/typecode.ts'
import { usercode } from './exam/usercode.ts'
import { notice } from './notice/notice.ts'
import { notifyread } from './notice/notifyread.ts'
import { exampay } from './pay/exampay.ts'
import { payorder } from './pay/payorder.ts'
import { payrecord } from './pay/payrecord.ts'
import { payrecordmain } from './pay/payrecordmain.ts'
import { payrefund } from './pay/payrefund.ts'
import { attach } from './resource/attach.ts'
import { result } from './result/result.ts'
import { examinelog } from './sign-up/examinelog.ts'
import { signup } from './sign-up/signup.ts'
import { signuplog } from './sign-up/signuplog.ts'
import { client } from './system/client.ts'
import { dept } from './system/dept.ts'
import { dict } from './system/dict.ts'
import { dictBiz } from './system/dict-biz.ts'
import { menu } from './system/menu.ts'
import { param } from './system/param.ts'
import { post } from './system/post.ts'
import { region } from './system/region.ts'
import { role } from './system/role.ts'
import { tenant } from './system/tenant.ts'
import { tenantPackage } from './system/tenant-package.ts'
import { user } from './system/user.ts'
import { examinationticket } from './ticket/examinationticket.ts'
import { ticketnotice } from './ticket/ticketnotice.ts'

/** A page written by hand that stands in the menu beside the screens of its module. */
export interface PageEntry {
  readonly code: string
  readonly title: string
  readonly path: string
  /** Button permissions of the page beyond opening it. */
  readonly buttons?: readonly { readonly code: string; readonly label: string }[]
}

/** One branch of the console's menu. */
export interface Module {
  readonly code: string
  readonly title: string
  readonly path: string
  /** Name of an icon. */
  readonly icon: string
  readonly pages?: readonly PageEntry[]
  readonly resources: readonly Resource[]
}

/** The table of contents: every module of the console with its resources, in the order of the menu. */
export const modules: readonly Module[] = [
  {
    code: 'exam',
    title: '考试管理',
    path: '/exam',
    icon: 'exam',
    resources: [
      examination,
      examitems,
      examinationitem,
      items,
      examsignitems,
      examsignfiles,
      examuser,
      typecode,
      usercode,
      school,
      examroom,
    ],
  },
  {
    code: 'examine',
    title: '报名审核',
    path: '/examine',
    icon: 'audit',
    pages: [
      {
        code: 'examine_list',
        title: '待审核',
        path: '/examine/list',
        buttons: [
          { code: 'examine_act', label: '审核' },
          { code: 'examine_revoke', label: '撤销审核' },
        ],
      },
      { code: 'examine_done', title: '已审核', path: '/examine/done' },
      {
        code: 'examine_review',
        title: '复审',
        path: '/examine/review',
        buttons: [{ code: 'examine_recheck', label: '复审' }],
      },
    ],
    resources: [signup, examinelog, signuplog],
  },
  {
    code: 'pay',
    title: '缴费财务',
    path: '/pay',
    icon: 'pay',
    resources: [exampay, payrecordmain, payrecord, payorder, payrefund],
  },
  {
    code: 'ticket',
    title: '考场准考证',
    path: '/ticket',
    icon: 'ticket',
    pages: [
      {
        code: 'allot',
        title: '编排',
        path: '/ticket/allot',
        buttons: [
          { code: 'allot_act', label: '编排操作' },
          { code: 'allot_release', label: '准考证发布' },
        ],
      },
    ],
    resources: [examinationticket, ticketnotice],
  },
  { code: 'result_menu', title: '成绩', path: '/result', icon: 'result', resources: [result] },
  { code: 'notice_menu', title: '通知公告', path: '/notice', icon: 'notice', resources: [notice, notifyread] },
  {
    code: 'system',
    title: '系统',
    path: '/system',
    icon: 'system',
    resources: [user, role, dept, post, menu, dict, dictBiz, param, region, client, tenant, tenantPackage],
  },
  { code: 'resource', title: '资源', path: '/resource', icon: 'resource', resources: [attach] },
]

/** Every resource. */
export const resources: readonly Resource[] = modules.flatMap(module => module.resources)
