import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { ReduceDecision, ReduceState } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import type { SignupPartProps } from '../../../sign-up/pages/parts/signup-parts.ts'
import { type ChoiceInfo, choiceOf } from '../../contract.ts'
import { Choosing } from './Choosing.tsx'

/** What each state asks of the person, or says. */
const words: Readonly<Record<number, string>> = {
  [ReduceState.choosing]: '您须改报岗位，请在截止前选择其他岗位或放弃。',
  [ReduceState.pending]: '您已提交改报选择，请等待新单位审核。',
  [ReduceState.approved]: '改报已通过，后续按新岗位参加考试。',
  [ReduceState.rejected]: '改报未通过，截止前可以另选岗位，否则视为放弃。',
  [ReduceState.givenUp]: '您已放弃改报，不再参加本次考试。',
  [ReduceState.overdue]: '改报时间已过，您没有作出选择，不再参加本次考试。',
}

const cancelled = '您报考的岗位因报名人数未达开考比例已取消，请在截止前改报其他岗位或放弃。'

/** What becomes of the money. */
function moneyText({ paid, refund, state }: ChoiceInfo): string {
  if (refund === 'refunded') return '已退款'
  if (refund === 'refunding') return '退款处理中'
  return paid && state <= ReduceState.rejected ? '已缴的费用继续有效，不需要再次缴费' : ''
}

const place = ({ unitName, postName, code }: { unitName: string; postName: string; code: string }): string =>
  `${unitName} · ${postName}（${code}）`

/** For a candidate whose position was cancelled: what to do until when, which positions are open, or the outcome. */
export function AdjustSection(props: SignupPartProps): ReactNode {
  return Number(props.of.reduceState) > ReduceState.none && <Adjusting {...props} />
}

function Adjusting({ of, onChange }: SignupPartProps): ReactNode {
  const t = useT()
  const info = useContract(choiceOf, { signupId: of.id })
  const changed = (): void => {
    void info.refetch()
    onChange()
  }
  return (
    <Loaded query={info}>
      {data => (
        <section className="my-card" id="adjust">
          <h2>{t('改报岗位')}</h2>
          <Alert
            type={data.state === ReduceState.approved ? 'success' : data.canChoose ? 'warning' : 'info'}
            showIcon
            title={t(
              data.state === ReduceState.choosing && data.decision === ReduceDecision.cancel
                ? cancelled
                : (words[data.state] ?? ''),
            )}
          />
          <Facts
            of={[
              [t('原岗位'), place(data.old)],
              [t('改报岗位'), data.chosen !== '' && place(data.chosen)],
              [
                t('改报时间'),
                data.state <= ReduceState.rejected &&
                  `${momentText(data.window.start)} — ${momentText(data.window.end)}`,
              ],
              [t('剩余'), data.canChoose && <Countdown until={data.window.end} onEnd={changed} />],
              [t('费用'), moneyText(data) && t(moneyText(data))],
            ]}
          />
          {data.canChoose && <Choosing info={data} onDone={changed} />}
        </section>
      )}
    </Loaded>
  )
}
