import { idCardProblem, phoneProblem } from '#engine'
import { IdType } from '#schemas/dictionaries'
import { refuse } from '../../http/server/refusal.ts'

/** What candidates say about themselves; nothing else of a registration is looked at. */
export interface Applicant {
  username: string
  realName: string
  phone: string
  /** 1 to 5, dictionary `id_type`. */
  idType: 1 | 2 | 3 | 4 | 5
  idCard: string
}

/** The refusal of one field. */
export const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/**
 * Checks what an applicant says, in the order of the form.
 * @throws input.invalid with the sentence of the first thing wrong
 */
export function readApplicant(given: Applicant): Applicant {
  const username = given.username.trim()
  const realName = given.realName.normalize('NFC').trim()
  const [phone, idCard] = [given.phone.trim(), given.idCard.trim().toUpperCase()]
  if (!username) throw wrong('username', '请先输入账号名称')
  if (!/^[A-Za-z\d][\w.@-]{3,44}$/.test(username))
    throw wrong('username', '账号应为4到45个字母、数字、下划线、点或横线，以字母或数字开头')
  const badName = nameProblem(realName)
  if (badName) throw wrong('realName', badName)
  const badCard = cardProblem(given.idType, idCard)
  if (badCard) throw wrong('idCard', badCard)
  const problem = phoneProblem(phone)
  if (problem) throw wrong('phone', problem)
  // An account called like somebody else's number would stand in the way of the other's login by that number.
  const isNumber = phoneProblem(username) === null || idCardProblem(username) === null
  if (isNumber && username !== phone && username.toUpperCase() !== idCard)
    throw wrong('username', '账号不能使用他人的手机号码或证件号码')
  return { username, realName, phone, idType: given.idType, idCard }
}

/** What is wrong with a real name; null when nothing is. */
export function nameProblem(name: string): string | null {
  if (!name) return '请输入真实姓名'
  return /^[\p{L}\p{M}·.\u3000 ]{1,20}$/u.test(name) ? null : '真实姓名格式错误'
}

/** What is wrong with the number of an ID document of a kind (dictionary `id_type`); null when nothing is. */
export function cardProblem(idType: number, text: string): string | null {
  if (idType === IdType.residentCard) return idCardProblem(text)
  if (!text) return '证件号码不能为空'
  return /^[A-Z\d()-]{5,30}$/.test(text) ? null : '证件号码格式错误'
}
