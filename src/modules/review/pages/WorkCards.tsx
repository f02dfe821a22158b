import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { PositionLink } from '../../exams/pages/parts/PositionLink.tsx'
import type { WorkRow } from '../contract.ts'
import { PrecheckTag } from './PrecheckTag.tsx'
import { actOf, Decision, type Drawn, positionText, RowActs, Waited } from './work-columns.tsx'

/** The reviews of a list as cards, for windows too narrow for a table. */
export function WorkCards({ rows, ...given }: Omit<Drawn, 't'> & { rows: readonly WorkRow[] }): ReactNode {
  const t = useT()
  const drawn = { ...given, t }
  return (
    <ul className="row-cards">
      {rows.map(row => {
        const { to } = actOf(row, drawn)
        return (
          <li key={row.signUpId} className="row-card short">
            <div className="row-card-head">
              <div className="row-card-name list-cell">
                <Link to={to}>{row.name}</Link>
                <small>{row.signNo}</small>
              </div>
              {given.isDecided ? <Decision row={row} kind={given.kind} /> : <PrecheckTag level={row.precheckMax} />}
            </div>
            <div className="row-card-line">
              <span>
                <PositionLink of={row}>{positionText(row)}</PositionLink> · {row.unitName}
              </span>
            </div>
            <div className="row-card-line">
              <span className="row-card-values">
                {given.isDecided ? (
                  <span>{row.examineUserName}</span>
                ) : (
                  <span>
                    <span className="row-card-label">{t('等了')}</span> <Waited row={row} t={t} />
                  </span>
                )}
              </span>
              <span className="row-card-buttons">
                <RowActs row={row} drawn={drawn} />
              </span>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
