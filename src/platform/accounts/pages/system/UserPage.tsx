import { Card, Flex, Tree } from 'antd'
import { useState } from 'react'
import type { AnswerOf } from '#engine'
import { user } from '#resources/system/user'
import ListScreen from '../../../../screens/ListScreen.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { deptTree } from '../../../access/contract.ts'
import { useT } from '../../../i18n/i18n.ts'
import './system.css'

/** Departments to choose from; a second click on the chosen one brings everybody back. */
function Depts({ nodes, onChoose }: { nodes: AnswerOf<typeof deptTree>; onChoose: (id: string | undefined) => void }) {
  const t = useT()
  return (
    <Card size="small" title={t('机构')} className="user-depts">
      <Tree defaultExpandAll blockNode treeData={nodes} onSelect={keys => onChoose(keys[0]?.toString())} />
    </Card>
  )
}

/** Accounts beside the departments they belong to. */
export default function UserPage() {
  const [deptId, choose] = useState<string>()
  const { data = [] } = useEndpoint(deptTree, {})
  // Where there is one department only, there is nothing to choose.
  const isChoice = data.length > 1 || data.some(one => one.children)
  return (
    <Flex gap={16} align="start" className="user-page">
      {isChoice && <Depts nodes={data} onChoose={choose} />}
      <div className="user-list">
        <ListScreen key={deptId ?? ''} resource={user} filter={deptId ? { deptId } : undefined} />
      </div>
    </Flex>
  )
}
