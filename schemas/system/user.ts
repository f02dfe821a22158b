import { date, dict, entity, filled, image, json, optional, type Row, refs, sealed, secret, text } from '#engine'
import { idType, sex, userType } from '../dictionaries.ts'
import { accountFields } from './user-account.ts'

export const User = entity(
  'user',
  '用户',
  {
    account: text('登录账号', { maxLength: 45, unique: true }),
    name: text('昵称', { maxLength: 20 }),
    realName: text('真实姓名', { maxLength: 20 }),
    phone: sealed('手机号码', { format: 'phone' }),
    email: optional(text('电子邮箱', { maxLength: 100, format: 'email' })),
    avatar: optional(image('头像/证件照')),
    cardFront: optional(image('身份证人像面')),
    cardBack: optional(image('身份证国徽面')),
    userType: dict('用户平台', userType),
    oauth_id: filled(optional(text('第三方标识', { maxLength: 64 }))),
    code: optional(text('用户编号', { maxLength: 30 })),
    password: optional(secret('密码')),
    idType: dict('证件类型', idType),
    idCard: optional(sealed('证件号码', { format: 'idCard' })),
    sex: optional(dict('性别', sex)),
    birthday: optional(date('出生日期')),
    roleId: refs('角色', 'role'),
    deptId: optional(refs('所属机构', 'dept')),
    postId: optional(refs('职务岗位', 'post')),
    ...accountFields,
    userExt: filled(optional(json('平台拓展信息'))),
  },
  {
    label: 'realName',
    uniques: [
      { fields: ['idCard'], where: { userType: 2 } },
      { fields: ['phone'], where: { userType: 2 } },
    ],
  },
)
export type User = Row<typeof User>
