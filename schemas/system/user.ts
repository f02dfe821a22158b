import { date, dict, entity, filled, image, json, optional, type Row, refs, sealed, secret, text } from '#engine'
import { IdType, idType, sex, UserType, userType } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'
import { accountFields } from './user-account.ts'

export const User = entity(
  'user',
  '用户',
  {
    account: text('登录账号', { maxLength: 45, unique: true }),
    name: optional(text('昵称', { maxLength: 20, help: '显示在右上角；不填时同真实姓名' })),
    realName: text('真实姓名', { maxLength: 20 }),
    phone: sealed('手机号码', { format: 'phone', help: '用于接收验证码和找回密码' }),
    email: optional(text('电子邮箱', { maxLength: 100, format: 'email' })),
    avatar: optional(image('头像/证件照')),
    cardFront: optional(image('身份证人像面', { keep: keeping.cardPictures })),
    cardBack: optional(image('身份证国徽面', { keep: keeping.cardPictures })),
    userType: dict('用户平台', userType, { default: UserType.staff }),
    oauth_id: filled(optional(text('第三方标识', { maxLength: 64 }))),
    code: optional(text('用户编号', { maxLength: 30, help: '工号等，可以不填' })),
    password: optional(secret('密码', { help: '首次登录须修改；新增时不填则随机生成，须再用「密码重置」设定' })),
    idType: dict('证件类型', idType, { default: IdType.residentCard }),
    idCard: optional(sealed('证件号码', { format: 'idCard' })),
    sex: optional(dict('性别', sex)),
    birthday: optional(date('出生日期')),
    roleId: refs('角色', 'role', { help: '决定能看到的菜单和能做的操作' }),
    deptId: optional(refs('所属机构', 'dept', { help: '工作人员请填写；数据权限按机构划分' })),
    postId: optional(refs('职务岗位', 'post')),
    ...accountFields,
    userExt: filled(optional(json('平台拓展信息'))),
  },
  {
    label: 'realName',
    uniques: [
      { fields: ['idCard'], where: { userType: UserType.candidate } },
      { fields: ['phone'], where: { userType: UserType.candidate } },
    ],
    taken: { account: 'accounts.usernameTaken', idCard: 'accounts.idCardTaken', phone: 'accounts.phoneTaken' },
    about: 'id',
    personal: ['realName', 'name', 'account', 'email', 'birthday', 'oauth_id', 'code'],
    purpose: '登录、核对身份并与您联系',
    keep: keeping.account,
  },
)
export type User = Row<typeof User>

declare module '#engine' {
  interface Entities {
    user: typeof User
  }
}
