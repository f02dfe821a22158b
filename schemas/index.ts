import type { TablesOf } from '#engine'
import { Examination } from './exam/examination.ts'
import { Examinationitem } from './exam/examinationitem.ts'
import { Examitems } from './exam/examitems.ts'
import { Examroom } from './exam/examroom.ts'
import { Examsignfiles } from './exam/examsignfiles.ts'
import { Examsignitems } from './exam/examsignitems.ts'
import { Examuser } from './exam/examuser.ts'
import { Items } from './exam/items.ts'
import { School } from './exam/school.ts'
import { Typecode } from './exam/typecode.ts'
import { Usercode } from './exam/usercode.ts'
import { Notice } from './notice/notice.ts'
import { Notifyread } from './notice/notifyread.ts'
import { Exampay } from './pay/exampay.ts'
import { Payorder } from './pay/payorder.ts'
import { Payrecord } from './pay/payrecord.ts'
import { Payrecordmain } from './pay/payrecordmain.ts'
import { Payrefund } from './pay/payrefund.ts'
import { Attach } from './resource/attach.ts'
import { Result } from './result/result.ts'
import { Examinelog } from './sign-up/examinelog.ts'
import { Signup } from './sign-up/signup.ts'
import { Signuplog } from './sign-up/signuplog.ts'
import { Client } from './system/client.ts'
import { Dept } from './system/dept.ts'
import { Dict } from './system/dict.ts'
import { DictBiz } from './system/dict-biz.ts'
import { Menu } from './system/menu.ts'
import { Param } from './system/param.ts'
import { Post } from './system/post.ts'
import { Region } from './system/region.ts'
import { Role } from './system/role.ts'
import { Tenant } from './system/tenant.ts'
import { TenantPackage } from './system/tenant-package.ts'
import { User } from './system/user.ts'
import { Examinationticket } from './ticket/examinationticket.ts'
import { Ticketnotice } from './ticket/ticketnotice.ts'

/** Every entity, in the order of the console. The list makes the tables. */
export const entities = [
  User,
  Role,
  Menu,
  Dept,
  Post,
  Dict,
  DictBiz,
  Param,
  Region,
  Client,
  Tenant,
  TenantPackage,
  Attach,
  Examination,
  Examitems,
  Examinationitem,
  Items,
  Examsignitems,
  Examsignfiles,
  Examuser,
  Typecode,
  Usercode,
  School,
  Examroom,
  Signup,
  Examinelog,
  Signuplog,
  Exampay,
  Payrecordmain,
  Payrecord,
  Payorder,
  Payrefund,
  Examinationticket,
  Ticketnotice,
  Result,
  Notice,
  Notifyread,
] as const

/** The tables of all entities for a typed query builder. */
export type Tables = TablesOf<typeof entities>
