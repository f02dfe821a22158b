import { Alert, Form, Input, Modal, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { callOf } from '#engine'
import { dataScope } from '#resources/system/data-scope'
import { DataScopeType } from '#schemas/dictionaries/administration'
import { useDictionary } from '../../../../screens/fields/dictionary.ts'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../../screens/use-kept-values.ts'
import { useT } from '../../../i18n/i18n.ts'
import { RuleConditions } from './RuleConditions.tsx'
import { RuleTest } from './RuleTest.tsx'
import { bodyOf, columnsFor, custom, gapOf, type Rule, ruleFrom, type StoredRule, subjects } from './rule.ts'

interface Props {
  /** The stored rule, or null for a new one. */
  row: StoredRule | null
  onClose: () => void
  onDone: () => void
}

interface Part {
  rule: Rule
  put: (part: Partial<Rule>) => void
}

function Item(props: { id: string; label: string; optional?: boolean; children: ReactNode }) {
  const t = useT()
  return (
    <Form.Item label={t(props.label)} htmlFor={props.id} required={!props.optional}>
      {props.children}
    </Form.Item>
  )
}

/** What the rule is called and where it stands. */
function Naming({ rule, put }: Part) {
  return (
    <>
      <Item id="menuId" label="菜单">
        <RefSelect id="menuId" entity="menu" value={rule.menuId} onChange={menuId => put({ menuId })} />
      </Item>
      <Item id="scopeName" label="权限名称">
        <Input
          id="scopeName"
          maxLength={50}
          value={rule.scopeName}
          onChange={event => put({ scopeName: event.target.value })}
        />
      </Item>
      <Item id="resourceCode" label="资源编号">
        <Input
          id="resourceCode"
          maxLength={100}
          value={rule.resourceCode}
          onChange={event => put({ resourceCode: event.target.value.trim() })}
        />
      </Item>
    </>
  )
}

/** Which rows the rule leaves. */
function Limits({ rule, put }: Part) {
  const t = useT()
  const { entries } = useDictionary('data_scope_type')
  const columns = columnsFor(rule).map(([value, field]) => ({ value, label: t(field.title) }))
  return (
    <>
      <Item id="scopeClass" label="数据">
        <Select
          id="scopeClass"
          showSearch={{ optionFilterProp: 'label' }}
          value={rule.scopeClass}
          options={subjects.map(one => ({ value: one.name, label: t(one.title) }))}
          onChange={scopeClass => put({ scopeClass, scopeColumn: undefined })}
        />
      </Item>
      <Item id="scopeType" label="规则类型">
        <Select
          id="scopeType"
          value={rule.scopeType}
          options={entries.map(one => ({ value: Number(one.key), label: t(one.word) }))}
          onChange={scopeType => put({ scopeType, scopeColumn: undefined })}
        />
      </Item>
      {rule.scopeType > DataScopeType.all && rule.scopeType !== custom && (
        <Item id="scopeColumn" label="权限列" optional>
          <Select
            id="scopeColumn"
            allowClear
            placeholder={t(rule.scopeType === DataScopeType.own ? '创建人' : '创建机构')}
            value={rule.scopeColumn}
            options={columns}
            onChange={scopeColumn => put({ scopeColumn })}
          />
        </Item>
      )}
      {rule.scopeType === custom && <RuleConditions rule={rule} onChange={conditions => put({ conditions })} />}
    </>
  )
}

/** Makes or changes a data scope, and tries it before anybody is given it. */
export function RuleDialog({ row, onClose, onDone }: Props) {
  const t = useT()
  const {
    values: rule,
    change: put,
    draft,
  } = useKeptValues<Rule>(() => ruleFrom(row), {
    form: 'data-scope',
    rowId: row?.id,
    fields: dataScope.entity.properties,
  })
  const [gap, setGap] = useState<string>()
  const save = useSend(callOf(dataScope, 'submit'), { done: row ? '更新成功!' : '新增成功!' })
  const done = (): void => {
    draft.saved()
    onDone()
  }
  const keep = async () => {
    const missing = gapOf(rule)
    setGap(missing)
    if (!missing) await save.mutateAsync(bodyOf(rule)).then(done, () => undefined)
  }
  return (
    <Modal
      open
      width={720}
      title={t(row ? '修改数据权限' : '新增数据权限')}
      okText={t('保存')}
      cancelText={t('取消')}
      confirmLoading={save.isPending}
      onOk={() => void keep()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      {draft.bar}
      <Form layout="vertical" component="div">
        <Naming rule={rule} put={put} />
        <Limits rule={rule} put={put} />
        <Item id="remark" label="备注" optional>
          <Input
            id="remark"
            maxLength={255}
            value={rule.remark}
            onChange={event => put({ remark: event.target.value })}
          />
        </Item>
        <RuleTest rule={rule} />
        {gap && <Alert type="error" title={<span role="alert">{t(gap)}</span>} style={{ marginTop: 12 }} />}
      </Form>
    </Modal>
  )
}
