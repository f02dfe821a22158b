import { type ReactNode, useState } from 'react'
import '../../../../screens/candidate/candidate.css'
import '../../../../screens/candidate/inputs/inputs.css'
import { Button } from 'antd'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { type OwnKind, ownKinds, ownLooks } from '../../contract.ts'
import { Consents } from './Consents.tsx'
import { Copies } from './Copies.tsx'
import { useKept } from './kept.ts'
import { Requests } from './Requests.tsx'

function Kind({ of }: { of: OwnKind }): ReactNode {
  const t = useT()
  const kept = useKept()
  return (
    <details className="my-card">
      <summary>
        <strong>{t(of.title)}</strong> <span className="my-quiet">{t('共 {{n}} 条', { n: of.count })}</span>
      </summary>
      <Facts
        of={[
          [t('用途'), t(of.purpose)],
          [t('依据'), t(of.ground)],
          [t('保存期限'), kept.period(of)],
          [t('包含'), of.fields.map(one => t(one)).join(t('、'))],
          ...of.groups.map(one => [one.examName || t('全部'), kept.until(one.until, of)] as const),
        ]}
      />
    </details>
  )
}

function Kinds(): ReactNode {
  const t = useT()
  const found = useContract(ownKinds, {})
  return (
    <section>
      <h2>{t('保存了哪些数据')}</h2>
      <Loaded query={found}>
        {kinds => (
          <>
            {kinds
              .filter(one => one.count > 0)
              .map(one => (
                <Kind key={one.name} of={one} />
              ))}
          </>
        )}
      </Loaded>
    </section>
  )
}

const fieldNames: Readonly<Record<string, string>> = { idCard: '证件号码', phone: '手机号码', attach: '证件或附件' }

function Looks(): ReactNode {
  const t = useT()
  const [current, setCurrent] = useState(1)
  const found = useContract(ownLooks, { current })
  return (
    <section className="my-card">
      <h2>{t('谁看过我的号码')}</h2>
      <Loaded query={found}>
        {({ total, rows }) => (
          <>
            {total === 0 && <Nothing title={t('没有人查看过您的完整号码或证件')} />}
            {rows.map(one => (
              <Facts
                key={`${one.time} ${one.field}`}
                of={[
                  [t('时间'), one.time],
                  [t('查看人'), [one.dept, one.role, one.name].filter(Boolean).join(' · ')],
                  [t('查看内容'), t(fieldNames[one.field] ?? one.field)],
                  [t('查看原因'), one.reason],
                ]}
              />
            ))}
            {total > current * 20 && (
              <Button size="large" onClick={() => setCurrent(current + 1)}>
                {t('更早的记录')}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** What is kept about a candidate, and what candidates may do with it. */
export default function DataPage(): ReactNode {
  const t = useT()
  return (
    <div className="my my-narrow">
      <h1>{t('我的数据')}</h1>
      <p className="my-quiet">{t('您可以查看、导出、更正本系统保存的个人信息，撤回同意，或请求删除。')}</p>
      <Copies />
      <Looks />
      <Consents />
      <Requests />
      <Kinds />
    </div>
  )
}
