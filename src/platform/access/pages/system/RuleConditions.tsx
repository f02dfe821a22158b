import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Select, Typography } from 'antd'
import type { Field } from '#engine'
import { DictSelect } from '../../../../screens/fields/DictSelect.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { conditionFields, emptyCondition, type Rule, type RuleCondition } from './rule.ts'

interface Props {
  rule: Rule
  onChange: (conditions: RuleCondition[]) => void
}

/** The values of a condition: words of a dictionary to choose, or anything typed. */
function Values(props: { field: Field | undefined; text: string; onChange: (text: string) => void }) {
  const t = useT()
  const { field, text, onChange } = props
  const hint = t('值，多个用逗号分隔')
  if (field?.dict && field.kind !== 'region')
    return (
      <DictSelect
        aria-label={hint}
        code={field.dict}
        multiple
        placeholder={hint}
        value={text}
        onChange={value => onChange(String(value ?? ''))}
      />
    )
  return <Input aria-label={hint} placeholder={hint} value={text} onChange={event => onChange(event.target.value)} />
}

/** The conditions of a custom rule, all of which must hold. */
export function RuleConditions({ rule, onChange }: Props) {
  const t = useT()
  const { conditions } = rule
  const known = new Map(conditionFields(rule))
  const fields = [...known].map(([value, field]) => ({ value, label: t(field.title) }))
  const put = (key: number, part: Partial<RuleCondition>) =>
    onChange(conditions.map(one => (one.key === key ? { ...one, ...part } : one)))
  const next = Math.max(0, ...conditions.map(one => one.key)) + 1
  return (
    <Flex vertical gap={8} style={{ marginBottom: 24 }}>
      {conditions.map(one => (
        <Flex key={one.key} gap={8}>
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            style={{ flex: 2 }}
            aria-label={t('字段')}
            placeholder={t('字段')}
            options={fields}
            value={one.field}
            onChange={field => put(one.key, { field, text: '' })}
          />
          <Select
            style={{ width: 150 }}
            aria-label={t('比较')}
            options={[
              { value: false, label: t('是其中之一') },
              { value: true, label: t('不是') },
            ]}
            value={one.isNot}
            onChange={isNot => put(one.key, { isNot })}
          />
          <div style={{ flex: 3 }}>
            <Values field={known.get(one.field ?? '')} text={one.text} onChange={text => put(one.key, { text })} />
          </div>
          <Button
            icon={<DeleteOutlined aria-hidden />}
            aria-label={t('删除条件')}
            disabled={conditions.length === 1}
            onClick={() => onChange(conditions.filter(other => other.key !== one.key))}
          />
        </Flex>
      ))}
      <Button
        type="dashed"
        icon={<PlusOutlined aria-hidden />}
        onClick={() => onChange([...conditions, emptyCondition(next)])}
      >
        {t('增加条件')}
      </Button>
      <Typography.Text type="secondary">
        {t('所有条件同时满足才可见。$caller 表示访问的人，$depts 表示其所在机构。')}
      </Typography.Text>
    </Flex>
  )
}
