import { InvoiceType } from '#schemas/dictionaries/pay'

/** What a person wants on an invoice. `type`: 1 for the person, 2 for an organisation. */
export interface InvoiceTitle {
  type: 1 | 2
  title: string
  taxNo: string
  email: string
}

/** What is wrong with one field, in words. */
interface Problem {
  field: 'invoiceType' | 'invoiceTitle' | 'taxNo' | 'invoiceEmail'
  msg: string
}

const signs = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** Check character of the first 17 characters of a unified social credit code (GB 32100). */
function creditCodeCheck(first17: string): string {
  const sum = weights.reduce((total, weight, i) => total + weight * signs.indexOf(first17[i] ?? ''), 0)
  return signs[(31 - (sum % 31)) % 31] ?? ''
}

/** True for a tax number: a unified social credit code with its check character, or an older one of 15 or 20 characters. */
export function isTaxNo(text: string): boolean {
  if (/^[0-9A-HJ-NP-RTUW-Y]{18}$/.test(text)) return creditCodeCheck(text.slice(0, 17)) === text[17]
  return /^[0-9A-Z]{15}$|^[0-9A-Z]{20}$/.test(text)
}

/** What is wrong with an application for an invoice; empty when nothing is. */
export function invoiceProblems({ type, title, taxNo, email }: InvoiceTitle): Problem[] {
  const problems: Problem[] = []
  if (type !== InvoiceType.individual && type !== InvoiceType.organization)
    problems.push({ field: 'invoiceType', msg: '请选择抬头类型' })
  if (!title) problems.push({ field: 'invoiceTitle', msg: '请输入发票抬头' })
  else if (title.length > 100) problems.push({ field: 'invoiceTitle', msg: '发票抬头最多100个字' })
  if (type === InvoiceType.organization && !taxNo) problems.push({ field: 'taxNo', msg: '请输入税号' })
  else if (taxNo && !isTaxNo(taxNo)) problems.push({ field: 'taxNo', msg: '税号不正确，请核对' })
  if (email && (email.length > 100 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)))
    problems.push({ field: 'invoiceEmail', msg: '接收邮箱格式不正确' })
  return problems
}
