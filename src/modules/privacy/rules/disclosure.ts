import { type Condition, fieldOf, type Resource } from '#engine'
import { ReleaseStatus } from '#schemas/dictionaries/administration'

/** What a person gets of the rows that are about them. */
interface Disclosure {
  readonly fields: readonly string[]
  /** Only rows that meet this. */
  readonly where?: Condition
}

/**
 * Of rows that have no `owner` in their resource. What is not named here is not handed out: who works in the office, what is not
 * released, and what only keeps the program together.
 */
const others: Readonly<Record<string, Disclosure>> = {
  user: {
    fields: [
      'account',
      'name',
      'realName',
      'idType',
      'idCard',
      'phone',
      'email',
      'sex',
      'birthday',
      'avatar',
      'cardFront',
      'cardBack',
      'accountStatus',
      'pwdUpdateTime',
      'lastLoginTime',
      'lastLoginIp',
    ],
  },
  signuplog: { fields: ['signupId', 'action', 'diff', 'consentVersion', 'time', 'ip'] },
  examinelog: { fields: ['signupId', 'stage', 'result', 'remark', 'time'] },
  payrefund: { fields: ['refundNo', 'payRecordId', 'amount', 'reason', 'refundStatus', 'successTime'] },
  result: {
    fields: [
      'examId',
      'itemId',
      'ticketNo',
      'name',
      'idCard',
      'unit',
      'code',
      'score',
      'addScore',
      'resultFlag',
      'rankNo',
      'totalScore',
      'isPass',
      'isNext',
      'confirmStatus',
      'confirmTime',
      'releaseTime',
    ],
    where: { resultStatus: ReleaseStatus.released },
  },
  resultappeal: { fields: ['examId', 'itemId', 'oldScore', 'reason', 'appealStatus', 'reply', 'handleTime'] },
  postreductionname: {
    fields: ['examId', 'name', 'oldUnit', 'oldCode', 'newUnit', 'newType', 'newCode', 'nameState', 'choiceTime'],
  },
  sendmessage: { fields: ['name', 'phone', 'content', 'msgStatus', 'sendTime'] },
  delivery: { fields: ['code', 'channel', 'address', 'deliveryState', 'sendTime'] },
  noticeread: { fields: ['noticeId', 'readTime', 'readIp'] },
  notifyread: { fields: ['noticeId', 'readTime', 'sureTime', 'sureState'] },
  idclaim: {
    fields: ['realName', 'idType', 'idCard', 'phone', 'account', 'reason', 'claimStatus', 'auditTime', 'auditRemark'],
  },
  auditlog: { fields: ['event', 'outcome', 'time', 'ip', 'userAgent'] },
}

/** Rows about a person of which nothing but their number is told, and why. */
export const withheld: Readonly<Record<string, string>> = {
  resultlog: 'Corrections from before a release would say what is not released.',
  // Their words are made when they are read: see copiedMessages.
  message: 'Rows hold no text; a copy has what they say.',
  formeraddress:
    'Addresses of before, kept to tell there that they were changed; the copy has the history of the account.',
  contact:
    'By which ways somebody wants to be told is shown and changed at any time; what is kept of an address is a hash.',
  // No screen shows them: see copiedBinding.
  wechatbinding: 'A copy has them.',
  preference: 'How screens are set up says nothing of the person.',
}

/** What a person gets of the rows of a resource; null for what is not handed out. What is derived from other rows is told by those. */
export function disclosureOf({ entity, owner }: Pick<Resource, 'entity' | 'owner'>): Disclosure | null {
  if (owner) {
    const fields = (owner.fields as readonly string[]).filter(name => fieldOf(entity, name))
    return { fields, where: owner.where as Condition }
  }
  return others[entity.name] ?? null
}
