import { Card, Flex, Tag } from 'antd'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Choice, StaffPerson, StaffUnit } from '../../contract.ts'
import { coverOf } from './cover.ts'
import { PersonSelect } from './PersonSelect.tsx'
import type { Toggle } from './StaffMatrix.tsx'
import { UnitState } from './UnitState.tsx'
import './staff.css'

/** One person without any appointment, as the page begins with. */
export const newcomer = ({ id, name }: Pick<Choice, 'id' | 'name'>): StaffPerson => ({
  userId: id,
  name,
  usable: true,
  idle: 0,
  all: false,
  units: [],
  part: [],
  timed: {},
})

/** The same on a phone: unit by unit, with who covers it. */
export function StaffCards({
  units,
  people,
  examRole,
  onToggle,
}: {
  units: readonly StaffUnit[]
  people: readonly StaffPerson[]
  examRole: number
  onToggle?: Toggle
}) {
  const t = useT()
  return (
    <Flex vertical gap={12}>
      {units.map(unit => {
        const here = people.filter(person => coverOf(person, unit.unit) !== 'none')
        return (
          <Card
            key={unit.unit}
            size="small"
            className="staff-card"
            data-lacking={unit.lacking.length > 0 || undefined}
            title={unit.unitName || unit.unit}
          >
            <Flex vertical gap={8}>
              <UnitState unit={unit} />
              <Flex wrap gap={6}>
                {here.map(person => (
                  <Tag
                    key={person.userId}
                    closable={onToggle !== undefined}
                    closeIcon={
                      <span role="img" aria-label={t('取消{{name}}', { name: person.name })}>
                        ×
                      </span>
                    }
                    color={person.usable ? undefined : 'warning'}
                    onClose={event => {
                      event.preventDefault()
                      onToggle?.(person, unit.unit, false)
                    }}
                  >
                    {person.name}
                    {coverOf(person, unit.unit) === 'part' && `（${t('部分岗位')}）`}
                    {!person.usable && `（${t('账号停用')}）`}
                  </Tag>
                ))}
              </Flex>
              {onToggle && (
                <PersonSelect
                  examRole={examRole}
                  placeholder={t('添加人员')}
                  without={people.filter(one => one.units.includes(unit.unit)).map(one => one.userId)}
                  onPick={choice =>
                    onToggle(people.find(one => one.userId === choice.id) ?? newcomer(choice), unit.unit, true)
                  }
                />
              )}
            </Flex>
          </Card>
        )
      })}
    </Flex>
  )
}
