import { birthdayOf, idCardCheck, mask, sexOf } from '#engine'
import { digitsOf } from '../modules/sign-up/rules/sign-digits.ts'
import { sealedText, searchHash } from '../platform/vault/sealing.ts'
import { districts, nameOf, type Person } from './people.ts'

/** A position people sign up for. */
interface Target {
  code: string
  type: string
  unit: string
  education: string
  major: string
}

/** What all rows have in common, and the keys by which personal numbers are sealed. */
export interface Setting {
  tenantId: string
  examId: string
  examCode: string
  /** Digits of the sign-up numbers. */
  width: number
  positions: readonly Target[]
  /** Hash of everybody's password. */
  password: string
  roleId: string
  idType: number
  userType: number
  accountStatus: number
  /** Milliseconds: the first sign-up, and how long all of them took. */
  start: number
  span: number
  /** How many sign up in all. */
  total: number
  seal: { version: number; key: string; pepper: string }
}

/** People from one number on. */
export interface Portion {
  from: number
  count: number
}

/** Rows as COPY takes them, in the order of {@link userColumns} and {@link signupColumns}. */
export interface Rows {
  users: string
  signups: string
}

/** Where the ids of the people begin: below those that the database gives. */
const firstId = 1_000_000_000_000

/** Columns of an account. */
export const userColumns =
  'id,tenantId,account,name,realName,password,userType,idType,sex,birthday,roleId,accountStatus,createTime,updateTime,idCard,idCardHash,idCardMask,phone,phoneHash,phoneMask'.split(
    ',',
  )

/** Columns of a sign-up. */
export const signupColumns =
  'tenantId,examId,userId,signNo,name,sex,birthday,code,type,unit,finalCode,finalType,finalUnit,education,province,city,area,content,files,precheck,signStatus,submitTime,submitCount,consentTime,adjustAccept,createUser,createTime,updateTime,version,idCard,idCardHash,idCardMask,phone,phoneHash,phoneMask'.split(
    ',',
  )

/** The n-th of up to seventy million people, none of whom shares a number with another. */
export function nationalPerson(n: number): Person {
  const district = districts[n % districts.length] as string
  const rest = Math.floor(n / districts.length)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = rest % 5040
  const born = `${1988 + Math.floor(day / 336)}${two(1 + (Math.floor(day / 28) % 12))}${two(1 + (day % 28))}`
  const first = district + born + String(Math.floor(rest / 5040) % 1000).padStart(3, '0')
  const idCard = first + idCardCheck(first)
  const phone = `1${['38', '39', '50', '59', '86', '77'][n % 6]}${String(10_000_000 + n).padStart(8, '0')}`
  return { name: nameOf(n), idCard, phone, sex: sexOf(idCard), birthday: birthdayOf(idCard), district }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (text: string) => text.replace(/[\\\t\n\r]/g, one => escapes[one] as string)
const line = (values: readonly (string | number | null)[]) =>
  `${values.map(value => (value === null ? '\\N' : escaped(String(value)))).join('\t')}\n`

/** The accounts and sign-ups of some people: all handed in and waiting for review, position by position in turn. */
export function makeRows(setting: Setting, { from, count }: Portion): Rows {
  const { tenantId, positions, seal } = setting
  const [key, pepper] = [Buffer.from(seal.key, 'base64'), Buffer.from(seal.pepper, 'base64')]
  const sealed = (text: string) => [sealedText(seal.version, key, text), searchHash(pepper, tenantId, text)] as const
  const users: string[] = []
  const signups: string[] = []
  for (let n = from; n < from + count; n++) {
    const { name, idCard, phone, sex, birthday, district } = nationalPerson(n)
    const { code, type, unit, education, major } = positions[n % positions.length] as Target
    const id = firstId + n
    const numbers = [...sealed(idCard), mask.idCard(idCard), ...sealed(phone), mask.phone(phone)]
    const time = new Date(setting.start + Math.floor((n / setting.total) * setting.span)).toISOString()
    const account = `gj${String(n).padStart(7, '0')}`
    const who = [id, tenantId, account, name, name, setting.password, setting.userType, setting.idType, sex, birthday]
    users.push(line([...who, setting.roleId, setting.accountStatus, time, time, ...numbers]))
    const choice = [code, type, unit]
    const content = JSON.stringify({ education, degree: '3', major })
    const region = [district.slice(0, 2), district.slice(0, 4), district]
    const signNo = setting.examCode + digitsOf(n + 1, setting.width)
    const states = [1, time, 1, time, n % 3 === 0 ? 1 : 0, id, time, time, 1]
    const head = [tenantId, setting.examId, id, signNo, name, sex, birthday, ...choice, ...choice, education, ...region]
    signups.push(line([...head, content, '[]', '[]', ...states, ...numbers]))
  }
  return { users: users.join(''), signups: signups.join('') }
}
