import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { columnField, type Resource } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import { type AnyAction, actionsAt, applies } from '../actions.ts'
import { columnTitle } from '../columns.tsx'
import { Cell } from '../fields/cells.tsx'
import { isEmpty } from '../fields/props.ts'
import { RefSelect } from '../fields/RefSelect.tsx'
import { useMay } from '../may.ts'
import { useActions } from '../use-actions.tsx'
import type { PlaceAnswer } from './answer.ts'
import { type Place, placeAddress } from './place.ts'

interface Props {
  place: Place
  resource: Resource
  answer: PlaceAnswer
  reload: () => void
}

/** The buttons of the row: the main ones drawn, the others in a menu. */
function Buttons({ place, resource, answer, reload }: Props): ReactNode {
  const t = useT()
  const may = useMay(resource)
  const actions = useActions(resource, reload)
  const { main } = place.workspace.header
  const mine = actionsAt(resource, 'row').filter(one => may(one.name) && applies(one, answer.row))
  const drawn = main.flatMap(name => mine.find(one => one.name === name) ?? [])
  const others = mine.filter(one => !drawn.includes(one))
  const start = (one: AnyAction) => actions.start(one, [answer.row])
  const items = others.map(one => ({
    key: one.name,
    label: t(one.label),
    danger: one.danger,
    onClick: () => start(one),
  }))
  return (
    <>
      {drawn.map(one => (
        <Button key={one.name} loading={actions.busy === one.name} onClick={() => start(one)}>
          {t(one.label)}
        </Button>
      ))}
      {items.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']}>
          <Button
            aria-label={t('{{name}}的更多操作', { name: answer.label })}
            icon={<EllipsisOutlined aria-hidden />}
          />
        </Dropdown>
      )}
      {actions.dialog}
    </>
  )
}

/** Which row it is, in which state, and how to get to another one. */
export function PlaceHeader(props: Props): ReactNode {
  const { place, resource, answer } = props
  const t = useT()
  const go = useNavigate()
  const { header } = place.workspace
  const { row } = answer
  const facts = header.facts.filter(({ field }) => !isEmpty(row[field]))
  return (
    <header className="place-header">
      <div className="place-title">
        <h1>{answer.label}</h1>
        {header.state && !isEmpty(row[header.state]) && (
          <Cell field={columnField(resource, header.state)!} name={header.state} row={row} where="detail" as="tag" />
        )}
        <span className="place-buttons">
          <span className="place-other">
            <RefSelect
              entity={resource.entity.name}
              name={t('切换{{name}}', { name: t(resource.entity.title) })}
              value={undefined}
              placeholder={t('切换{{name}}', { name: t(resource.entity.title) })}
              onChange={id => id && void go(placeAddress({ workspace: place.workspace, id }, place.page))}
            />
          </span>
          <Buttons {...props} />
        </span>
      </div>
      {facts.length > 0 && (
        <dl className="place-facts">
          {facts.map(({ field, as }) => (
            <div key={field}>
              <dt>{columnTitle(resource, field)}</dt>
              <dd>
                <Cell field={columnField(resource, field)!} name={field} row={row} where="table" as={as} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {header.line && !isEmpty(answer.line) && (
        <Cell field={header.line.value} name="line" row={{ line: answer.line }} where="detail" as={header.line.as} />
      )}
    </header>
  )
}
