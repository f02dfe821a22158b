import type { ReactNode } from 'react'
import { useT } from '../../../i18n/i18n.ts'

/** Version of the text below: a new one when its meaning changes, so that it is known who agreed to what. */
export const privacyVersion = '1.0'

const lines = [
  '处理者：考试组织单位。联系方式见招聘公告中的咨询电话。',
  '处理的信息：姓名、证件类型和号码、手机号码；报名时另行填写的学历、专业、经历、照片和材料。',
  '目的和方式：用于报名、资格审查、缴费、编排考场、发放准考证、发布成绩和聘用。证件号码和手机号码加密保存，列表中遮盖显示，查看全文会留下记录。',
  '敏感个人信息：证件号码和照片用于核验身份，不提供则无法报名。',
  '保存期限：考试归档两年后删除，法律另有规定的除外。',
  '您的权利：可以查看、更正、导出本人信息，可以撤回同意、申请删除；撤回不影响此前处理的效力。',
]

/** What is done with the data of people who register, shown before they agree to it. */
export function PrivacyNotice(): ReactNode {
  const t = useT()
  return (
    <details className="my-card">
      <summary>{t('个人信息处理告知书')}</summary>
      <ol>
        {lines.map(line => (
          <li key={line}>{t(line)}</li>
        ))}
      </ol>
    </details>
  )
}
