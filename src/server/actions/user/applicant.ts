import { idCardProblem, phoneProblem } from '#engine'
import { refuse } from '../../domain/refusal.ts'

/** What a candidate says about himself; nothing else of a registration is looked at. */
export interface Applicant {
  username: string
  realName: string
  phone: string
  /** 1 to 5, dictionary `id_type`. */
  idType: 1 | 2 | 3 | 4 | 5
  idCard: string
}

/** The refusal of one field. */
export const wrong = (field: string, msg: string) => refuse(29005, { 说明: msg }, [{ field, msg }])

/** Checks what an applicant says, in the order of the form. @throws 29005 with the sentence of the first thing wrong */
export function readApplicant(given: Applicant): Applicant {
  const username = given.username.trim()
  const realName = given.realName.normalize('NFC').trim()
  const [phone, idCard] = [given.phone.trim(), given.idCard.trim().toUpperCase()]
  if (!username) throw wrong('username', '请先输入账号名称')
  if (!/^[A-Za-z\d][\w.@-]{3,44}$/.test(username))
    throw wrong('username', '账号应为4到45个字母、数字、下划线、点或横线，以字母或数字开头')
  if (!realName) throw wrong('realName', '请输入真实姓名')
  if (!/^[\p{L}\p{M}·.\s]{1,20}$/u.test(realName)) throw wrong('realName', '真实姓名格式错误')
  const cardProblem = given.idType === 1 ? idCardProblem(idCard) : otherCardProblem(idCard)
  if (cardProblem) throw wrong('idCard', cardProblem)
  const problem = phoneProblem(phone)
  if (problem) throw wrong('phone', problem)
  // An account called like somebody else's number would stand in the way of his login by that number.
  const isNumber = phoneProblem(username) === null || idCardProblem(username) === null
  if (isNumber && username !== phone && username.toUpperCase() !== idCard)
    throw wrong('username', '账号不能使用他人的手机号码或证件号码')
  return { username, realName, phone, idType: given.idType, idCard }
}

function otherCardProblem(text: string): string | null {
  if (!text) return '证件号码不能为空'
  return /^[A-Z\d()-]{5,30}$/.test(text) ? null : '证件号码格式错误'
}
