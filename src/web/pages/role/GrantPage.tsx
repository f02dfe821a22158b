import { Alert, Button, Card, Checkbox, Flex, Input, Result, Tree, Typography } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { PageSkeleton } from '../../chrome/PageSkeleton.tsx'
import { useT } from '../../i18n.ts'
import { useAct, useRead } from '../use-call.ts'

interface Node {
  id: string
  title: string
  children?: Node[]
}

interface Trees {
  menu: Node[]
}

interface Keys {
  menu: string[]
}

interface Branch {
  key: string
  title: string
  children?: Branch[]
}

const ids = (nodes: readonly Node[]): string[] => nodes.flatMap(node => [node.id, ...ids(node.children ?? [])])
const leaves = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(node => (node.children?.length ? leaves(node.children) : [node.id]))

/** The branches whose own title, or one below it, holds what is looked for. */
function found(nodes: readonly Node[], text: string, t: (text: string) => string): Branch[] {
  return nodes.flatMap(node => {
    const title = t(node.title)
    const children = found(node.children ?? [], text, t)
    if (text && !title.toLowerCase().includes(text.toLowerCase()) && !children.length) return []
    const below = text && children.length === 0 ? found(node.children ?? [], '', t) : children
    return [{ key: node.id, title, ...(below.length ? { children: below } : {}) }]
  })
}

/** Parents of chosen nodes: a menu whose button is granted is granted too. */
function withParents(nodes: readonly Node[], chosen: ReadonlySet<string>): string[] {
  return nodes.flatMap(node => {
    const below = withParents(node.children ?? [], chosen)
    return chosen.has(node.id) || below.length ? [node.id, ...below] : below
  })
}

interface Choice {
  nodes: readonly Node[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The menus and buttons there are to give, with what is ticked. */
function GrantTree({ nodes, chosen, onChange }: Choice) {
  const t = useT()
  const [text, setText] = useState('')
  const all = leaves(nodes)
  return (
    <>
      <Flex gap={12} align="center" style={{ marginBottom: 12 }} wrap>
        <Input.Search
          allowClear
          style={{ maxWidth: 320 }}
          placeholder={t('查找菜单或按钮')}
          aria-label={t('查找菜单或按钮')}
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
          const shown = new Set(leaves(text ? pick(nodes, found(nodes, text, t)) : nodes))
          const now = (checked as string[]).filter(key => shown.has(key))
          onChange([...chosen.filter(key => !shown.has(key)), ...now])
        }}
        treeData={found(nodes, text, t)}
      />
    </>
  )
}

interface Grant {
  role: { roleName: string; roleAlias: string }
  nodes: readonly Node[]
  /** Ids of the ticked ends of the tree, as they are stored. */
  stored: readonly string[]
  onBack: () => void
  save: (menuIds: string[]) => Promise<unknown>
  isSaving: boolean
}

function GrantCard({ role, nodes, stored, onBack, save, isSaving }: Grant) {
  const t = useT()
  const [edited, setEdited] = useState<string[] | null>(null)
  const chosen = edited ?? stored
  const keep = () =>
    save(withParents(nodes, new Set(chosen))).then(
      () => setEdited(null),
      () => undefined,
    )
  return (
    <Card
      title={
        <Flex vertical>
          <span>
            {t('权限设置')} · {role.roleName}
          </span>
          <Typography.Text type="secondary" style={{ fontWeight: 400 }}>
            {role.roleAlias}
          </Typography.Text>
        </Flex>
      }
      extra={
        <Flex gap={8}>
          <Button onClick={onBack}>{t('返回')}</Button>
          <Button type="primary" disabled={edited === null} loading={isSaving} onClick={keep}>
            {t('保存')}
          </Button>
        </Flex>
      }
    >
      <Alert
        type="info"
        showIcon
        style={{ marginBottom: 12 }}
        title={t('未勾选的菜单和按钮，该角色的人看不到，服务器也会拒绝；保存后立即生效。')}
      />
      <GrantTree nodes={nodes} chosen={chosen} onChange={setEdited} />
    </Card>
  )
}

/** Menus and buttons of one role as a tree to tick; what the person himself has not, is not there to give. */
export default function GrantPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const role = useRead<Grant['role']>('/blade-system/role/detail', { id })
  const trees = useRead<Trees>('/blade-system/menu/grant-tree')
  const keys = useRead<Keys>('/blade-system/menu/role-tree-keys', { roleIds: id })
  const grant = useAct('/blade-system/role/grant', { stale: ['/blade-system/menu/role-tree-keys'] })
  const back = () => go('/system/role')
  if (trees.isPending || keys.isPending || role.isPending) return <PageSkeleton />
  if (!trees.data || !keys.data || !role.data)
    return <Result status="warning" title={t('没有取到数据')} extra={<Button onClick={back}>{t('返回列表')}</Button>} />
  const ends = new Set(leaves(trees.data.menu))
  const save = (menuIds: string[]) => grant.mutateAsync({ roleIds: [id], menuIds, dataScopeIds: [], apiScopeIds: [] })
  return (
    <GrantCard
      {...{ role: role.data, nodes: trees.data.menu, stored: keys.data.menu.filter(key => ends.has(key)) }}
      {...{ onBack: back, save, isSaving: grant.isPending }}
    />
  )
}

/** The nodes behind the branches shown. */
function pick(nodes: readonly Node[], branches: readonly Branch[]): Node[] {
  const keys = new Set(branchKeys(branches))
  return nodes
    .filter(node => ids([node]).some(key => keys.has(key)))
    .map(node => ({ ...node, children: pick(node.children ?? [], branches) }))
}

const branchKeys = (branches: readonly Branch[]): string[] =>
  branches.flatMap(branch => [branch.key, ...branchKeys(branch.children ?? [])])
