/** Left, top, width and height of a step. */
export type Box = readonly [left: number, top: number, width: number, height: number]

/** A process as it comes with the product. */
export interface Drawing {
  readonly key: string
  readonly name: string
  /** Where steps are drawn, by their ids. */
  readonly boxes: Readonly<Record<string, Box>>
  /** Along which points lines are drawn, by their ids. */
  readonly ways: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>>
  /** Elements of the process. */
  readonly elements: string
}

const shapeOf = ([id, [x, y, width, height]]: readonly [
  string,
  Box,
]) => `      <bpmndi:BPMNShape id="${id}_shape" bpmnElement="${id}">
        <dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" />
      </bpmndi:BPMNShape>
`

const edgeOf = ([id, points]: readonly [
  string,
  readonly (readonly [x: number, y: number])[],
]) => `      <bpmndi:BPMNEdge id="${id}_edge" bpmnElement="${id}">
${points.map(([x, y]) => `        <di:waypoint x="${x}" y="${y}" />`).join('\n')}
      </bpmndi:BPMNEdge>
`

/** The BPMN 2.0 text of a process with its drawing. */
export const modelText = ({
  key,
  name,
  boxes,
  ways,
  elements,
}: Drawing): string => `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:flowable="http://flowable.org/bpmn" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"
  xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:di="http://www.omg.org/spec/DD/20100524/DI"
  targetNamespace="${key}">
  <process id="${key}" name="${name}" isExecutable="true">
${elements}
  </process>
  <bpmndi:BPMNDiagram id="drawing">
    <bpmndi:BPMNPlane id="plane" bpmnElement="${key}">
${[...Object.entries(boxes).map(shapeOf), ...Object.entries(ways).map(edgeOf)].join('')}    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</definitions>
`
