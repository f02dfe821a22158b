import { Checkbox, Flex, Input, Tree, Typography } from 'antd'
import { useState } from 'react'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useT, useVerb } from '../../i18n/i18n.ts'
import { found, leaves, type Node, pick } from './grant-tree.ts'

interface Choice {
  nodes: readonly Node[]
  /** Ids of the ticked ends. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** What is looked for, in Chinese. */
  label?: string
}

/** A tree to tick, with a search that keeps what it hides, and all of it at once. */
export function GrantTree({ nodes, chosen, onChange, label = '查找菜单或按钮' }: Choice) {
  const t = useT()
  const verb = useVerb()
  const [text, setText] = useState('')
  const all = leaves(nodes)
  if (all.length === 0) return <Nothing small text={t('没有可选的数据')} />
  return (
    <>
      <Flex gap={12} align="center" style={{ marginBottom: 12 }} wrap>
        <Input.Search
          allowClear
          style={{ maxWidth: 320 }}
          placeholder={t(label)}
          aria-label={t(label)}
          onChange={event => setText(event.target.value)}
        />
        <Checkbox
          checked={chosen.length === all.length}
          indeterminate={chosen.length > 0 && chosen.length < all.length}
          onChange={event => onChange(event.target.checked ? all : [])}
        >
          {t('全选')}
        </Checkbox>
        <Typography.Text type="secondary">{t('已选 {{n}} 项', { n: chosen.length })}</Typography.Text>
      </Flex>
      <Tree
        key={text ? 'found' : 'all'}
        checkable
        selectable={false}
        defaultExpandAll={text !== ''}
        defaultExpandedKeys={nodes.map(node => node.id)}
        checkedKeys={[...chosen]}
        onCheck={checked => {
          // Only the branches on the screen answer; what a search hides keeps its ticks.
          const shown = new Set(leaves(text ? pick(nodes, found(nodes, text, verb)) : nodes))
          const now = (checked as string[]).filter(key => shown.has(key))
          onChange([...chosen.filter(key => !shown.has(key)), ...now])
        }}
        treeData={found(nodes, text, verb)}
      />
    </>
  )
}
