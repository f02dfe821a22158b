import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import type { StepProps } from './step-props.ts'

/** The rules of the exam, whose sign-up it will be, and for which position, where that is chosen already. */
export function NoticeStep({ form, state, leave }: StepProps): ReactNode {
  const t = useT()
  leave.current = () => true
  const { applicant } = form
  const chosen = form.positions.find(one => one.code === state.sheet.code)
  return (
    <>
      <section className="my-card">
        <h1>{t('报名须知')}</h1>
        {form.notice ? <SafeHtml html={form.notice} /> : <p>{t('请如实填写，提交前仔细核对。')}</p>}
      </section>
      <section className="my-card">
        <h2>{t('报名人')}</h2>
        <Facts
          of={[
            [t('姓名'), applicant.realName],
            [t('证件号码'), applicant.idCard],
            [t('手机号码'), applicant.phone],
            [t('报考岗位'), chosen && `${chosen.postName} · ${chosen.unitName} · ${chosen.code}`],
          ]}
        />
      </section>
    </>
  )
}
