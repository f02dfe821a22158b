import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { type ReactNode, useState } from 'react'
import { columnField, factsOfRow, matches, type Resource } from '#engine'
import { useT, useVerb } from '../../platform/i18n/i18n.ts'
import { type AnyAction, actionsAt, applies, isEditable } from '../actions.ts'
import { columnTitle } from '../columns.tsx'
import { Cell } from '../fields/cells.tsx'
import { LineEditPlace } from '../fields/line-edit.ts'
import { isEmpty } from '../fields/props.ts'
import { useMay } from '../may.ts'
import { useActions } from '../use-actions.tsx'
import type { PlaceAnswer } from './answer.ts'
import { PartDialog, type RowPart } from './PartDialog.tsx'
import { PlacePicker } from './PlacePicker.tsx'
import type { Place } from './place.ts'

interface Props {
  place: Place
  resource: Resource
  answer: PlaceAnswer
  reload: () => void
}

/** The buttons of the row: the main ones drawn, the others in a menu. */
function Buttons({ place, resource, answer, reload }: Props): ReactNode {
  const t = useT()
  const verb = useVerb()
  const may = useMay(resource)
  const actions = useActions(resource, reload)
  const { header, checks } = place.workspace
  const { main } = header
  const isHere = (name: string): boolean => name === checks?.then && matches(answer.row, checks.while)
  // The next step has its button where what it needs is shown.
  const mine = actionsAt(resource, 'row').filter(one => may(one.name) && applies(one, answer.row) && !isHere(one.name))
  const drawn = main.flatMap(name => mine.find(one => one.name === name) ?? [])
  const others = mine.filter(one => !drawn.includes(one))
  const start = (one: AnyAction) => actions.start(one, [answer.row])
  const items = others.map(one => ({
    key: one.name,
    label: verb(one.label),
    danger: one.danger,
    onClick: () => start(one),
  }))
  return (
    <>
      {drawn.map(one => (
        <Button key={one.name} loading={actions.busy === one.name} onClick={() => start(one)}>
          {verb(one.label)}
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
  const { place, resource, answer, reload } = props
  const t = useT()
  const [edited, setEdited] = useState<RowPart>()
  const { header } = place.workspace
  const { outside } = header
  const { row } = answer
  const may = useMay(resource)
  const mayEdit = may('edit') && isEditable(resource, row)
  const facts = factsOfRow(place.workspace, row).filter(({ field }) => !isEmpty(row[field]))
  return (
    <header className="place-header">
      <div className="place-title">
        <PlacePicker place={place} resource={resource} label={answer.label} />
        {header.state && !isEmpty(row[header.state]) && (
          <Cell field={columnField(resource, header.state)!} name={header.state} row={row} where="detail" as="tag" />
        )}
        <span className="place-buttons">
          {outside && matches(row, outside.when) && (
            <Button href={outside.address.replace(':id', row.id)} target="_blank" rel="noreferrer">
              {t(outside.title)}
            </Button>
          )}
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
        <LineEditPlace value={mayEdit ? (title, fields) => setEdited({ title, fields }) : null}>
          <Cell field={header.line.value} name="line" row={{ line: answer.line }} where="detail" as={header.line.as} />
        </LineEditPlace>
      )}
      <PartDialog resource={resource} row={row} part={edited} onClose={() => setEdited(undefined)} reload={reload} />
    </header>
  )
}
