import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { Portrait } from './Portrait.tsx'
import { found, type Person, totalsOf } from './roster.ts'
import { StateTag } from './StateTag.tsx'

type Shown = 'all' | Person['attend']

function Counts({ people, shown, show }: { people: readonly Person[]; shown: Shown; show: (which: Shown) => void }) {
  const t = useT()
  const totals = totalsOf(people)
  const missing = totals.people - totals.arrived - totals.absent - totals.breach
  const all = [
    ['all', '应到', totals.people],
    [1, '已到', totals.arrived],
    [0, '未到', missing],
    [2, '缺考', totals.absent],
    ...(totals.breach ? ([[3, '违纪', totals.breach]] as const) : []),
  ] as const
  return (
    <fieldset className="door-counts" aria-label={t('按状态筛选')}>
      {all.map(([which, label, n]) => (
        <button key={which} type="button" aria-pressed={shown === which} onClick={() => show(which)}>
          <strong>{n}</strong>
          {t(label)}
        </button>
      ))}
    </fieldset>
  )
}

/** The people of a room: counted, searched, each one large enough for a thumb. */
export function People({ people, onChoose }: { people: readonly Person[]; onChoose: (person: Person) => void }) {
  const t = useT()
  const [shown, show] = useState<Shown>('all')
  const [text, setText] = useState('')
  const listed = found(people, text).filter(one => shown === 'all' || one.attend === shown)
  return (
    <>
      <Counts people={people} shown={shown} show={show} />
      <Input
        size="large"
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t('座位号、姓名或证件后几位')}
        aria-label={t('座位号、姓名或证件后几位')}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      {listed.length === 0 && <Nothing small picture="magnifier" text={t('没有符合的考生')} />}
      <ul className="door-people">
        {listed.map(one => (
          <li key={one.ticketId}>
            <button type="button" onClick={() => onChoose(one)}>
              <b>{one.seatNo}</b>
              <Portrait of={one} />
              <span>
                {one.name}
                <small>{one.idCard}</small>
              </span>
              <StateTag of={one} />
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
