import { user } from '#resources/system/user'
import { AccountStatus } from '#schemas/dictionaries/administration'
import ListScreen from '../../../../screens/ListScreen.tsx'

const { auditPass, auditRefuse } = user.actions

/** Accounts as somebody who decides about registrations wants to see them: who it says he is, beside his ID card. */
const registrations = {
  ...user,
  title: '注册审核',
  can: ['view'] as const,
  columns: [
    'account',
    'realName',
    'idType',
    'idCard',
    'phone',
    'sex',
    'birthday',
    'cardFront',
    'cardBack',
    'createTime',
  ].map(field => ({ field })),
  search: ['account', 'realName', 'phone', 'idCard', 'createTime'],
  form: [
    { title: '身份信息', inputs: ['realName', 'idType', 'idCard', 'cardFront', 'cardBack'].map(field => ({ field })) },
    { title: '联系方式', inputs: ['account', 'phone', 'email', 'avatar'].map(field => ({ field })) },
  ],
  actions: { auditPass, auditRefuse },
}

/** Registrations that wait for somebody to decide. */
export default function UserAuditPage() {
  return <ListScreen resource={registrations} filter={{ accountStatus: AccountStatus.pending }} />
}
