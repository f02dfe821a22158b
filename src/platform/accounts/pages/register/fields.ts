import { idType } from '#schemas/dictionaries'
import { idCardProblem, phoneProblem } from '../../../../engine/format.ts'
import { passwordProblem } from '../../../../engine/password.ts'

/** What a person who registers types. */
export const blank = {
  realName: '',
  idType: '1',
  idCard: '',
  phone: '',
  smsCode: '',
  username: '',
  password: '',
  password2: '',
}

/** See {@link blank}. */
export type Fields = typeof blank

/** What the fields are called. */
export const labels: { readonly [K in keyof Fields]: string } = {
  realName: '真实姓名',
  idType: '证件类型',
  idCard: '证件号码',
  phone: '手机号码',
  smsCode: '短信验证码',
  username: '账号',
  password: '密码',
  password2: '确认密码',
}

/** What is asked of a field, shown before anything is wrong. The rules of a password are shown as they are met. */
export const helps: { readonly [K in keyof Fields]?: string } = {
  realName: '与证件上的姓名一致',
  phone: '11 位手机号码，用于接收通知',
  username: '4 到 45 个字母、数字、点、横线或下划线，以字母或数字开头',
  password2: '再输入一次密码',
}

/** The kinds of ID papers, key to word. */
export const idTypes: Readonly<Record<string, string>> = idType.entries

/** Key of the national ID card among {@link idTypes}. */
export const NATIONAL = '1'

function cardProblem({ idType: kind, idCard }: Fields): string | null {
  if (kind === NATIONAL) return idCardProblem(idCard)
  if (!idCard.trim()) return '证件号码不能为空'
  return /^[A-Za-z\d()-]{5,30}$/.test(idCard.trim()) ? null : '证件号码格式错误'
}

/** What somebody who registers will be, as `userType` says it. */
export const candidate = 2

const checks: { readonly [K in keyof Fields]?: (fields: Fields) => string | null } = {
  username: ({ username }) =>
    /^[A-Za-z\d][\w.@-]{3,44}$/.test(username.trim()) ? null : '账号为 4 到 45 个字母、数字、点、横线或下划线',
  realName: ({ realName }) => (/^[\p{L}\p{M}·.\s]{1,20}$/u.test(realName.trim()) ? null : '请输入真实姓名'),
  idCard: cardProblem,
  phone: ({ phone }) => phoneProblem(phone),
  smsCode: ({ smsCode }) => (/^\d{6}$/.test(smsCode) ? null : '请输入短信验证码'),
  password: ({ password, username }) =>
    password ? passwordProblem(password, candidate, [username.trim()]) : '请输入密码',
  password2: ({ password, password2 }) =>
    !password2 ? '请再次输入密码' : password === password2 ? null : '两次密码输入不一致',
}

/** What is wrong with one field; null when nothing is. */
export const problemOf = (name: keyof Fields, fields: Fields): string | null => checks[name]?.(fields) ?? null

/** The fields with something wrong, in the order of the form; the code on the phone only where one is asked for. */
export const wrongFields = (fields: Fields, isCodeAsked: boolean): (keyof Fields)[] =>
  (Object.keys(blank) as (keyof Fields)[]).filter(
    name => (name !== 'smsCode' || isCodeAsked) && problemOf(name, fields) !== null,
  )
