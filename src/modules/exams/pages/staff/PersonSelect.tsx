import { Flex, Select, Typography } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { shownName } from '../../../../screens/fields/shown-name.ts'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { type Choice, staffPeople } from '../../contract.ts'

interface Props {
  examRole: number
  placeholder: string
  id?: string
  /** People that are not offered. */
  without?: readonly string[]
  onPick: (person: Choice) => void
}

/** People who may be appointed, found by name or account; what they are otherwise stands beside them. */
function useChoices(examRole: number, opened: boolean) {
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const found = useEndpoint(staffPeople, { examRole, ...(keyword && { keyword }) }, { enabled: opened })
  return { choices: found.data ?? [], isFetching: found.isFetching, setTyped }
}

const option = ({ id, name, account, roleNames }: Choice) => ({ value: id, label: name, account, roleNames })

function Line({ label, account, roleNames }: { label: string; account: string; roleNames: string }) {
  return (
    <Flex justify="space-between" gap={8}>
      <span>{label}</span>
      <Typography.Text type="secondary" ellipsis>
        {[account, shownName('role', roleNames)].filter(Boolean).join(' · ')}
      </Typography.Text>
    </Flex>
  )
}

/** Picks one person after the other. */
export function PersonSelect({ examRole, placeholder, id, without = [], onPick }: Props) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const { choices, isFetching, setTyped } = useChoices(examRole, opened)
  return (
    <Select
      id={id}
      aria-label={placeholder}
      placeholder={placeholder}
      style={{ width: '100%' }}
      popupMatchSelectWidth={320}
      value={null}
      loading={isFetching}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      options={choices.filter(one => !without.includes(one.id)).map(option)}
      optionRender={({ data }) => <Line {...(data as ReturnType<typeof option>)} />}
      notFoundContent={isFetching ? t('加载中') : t('没有可选的人员')}
      onOpenChange={open => open && setOpened(true)}
      onSelect={(value: unknown) => {
        const person = choices.find(one => one.id === String(value))
        if (person) onPick(person)
      }}
    />
  )
}

/** Picks several people. */
export function PeopleSelect({
  examRole,
  id,
  value,
  onChange,
  known,
}: {
  examRole: number
  id: string
  value: readonly string[]
  onChange: (ids: string[]) => void
  /** People whose names are known without asking. */
  known: readonly { userId: string; name: string }[]
}) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const { choices, isFetching, setTyped } = useChoices(examRole, opened)
  const others = known.filter(one => !choices.some(choice => choice.id === one.userId))
  return (
    <Select
      id={id}
      mode="multiple"
      placeholder={t('请选择人员')}
      value={[...value]}
      loading={isFetching}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      options={[
        ...choices.map(option),
        ...others.map(one => ({ value: one.userId, label: one.name, account: '', roleNames: '' })),
      ]}
      optionRender={({ data }) => <Line {...(data as ReturnType<typeof option>)} />}
      onOpenChange={open => open && setOpened(true)}
      onChange={ids => onChange(ids.map(String))}
    />
  )
}
