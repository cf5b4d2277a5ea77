from typing import Any

import msgspec
import pytest

from quintet.environments.webarena.observation.nodes import Box, read_capture

_NODE = {"nodeId": "1", "role": {"type": "role", "value": "main"}, "name": {"value": "x"}, "backendDOMNodeId": 7}


def _layout(**document: Any) -> dict[str, Any]:
    nodes = {"backendNodeId": [5, 7], "nodeName": [0, 1]}
    layout = {"nodeIndex": [1], "bounds": [[10, 20, 30, 40]], "text": [-1]}
    return {"documents": [{"nodes": nodes, "layout": layout} | document], "strings": []}


_PARTS = {"nodeIndex": [1, 1], "bounds": [[0, 0, 10, 10], [5, 20, 10, 10]]}
_FRAME = {"nodes": {"backendNodeId": [9]}, "layout": {"nodeIndex": [0], "bounds": [[0, 0, 1, 1]]}}


@pytest.mark.parametrize(
    ("layout", "boxes"),
    [
        (_layout(scrollOffsetX=1, scrollOffsetY=500.5), {7: Box(9, -480.5, 30, 40)}),
        (_layout(layout=_PARTS), {7: Box(0, 0, 15, 30)}),
        ({"documents": [*_layout()["documents"], _FRAME]}, {7: Box(10, 20, 30, 40)}),
        ({"documents": []}, {}),
    ],
    ids=["from the viewport's corner", "around all parts", "none of frames within a page", "none without a document"],
)
def test_boxes_are_those_of_what_is_laid_out(layout: dict[str, Any], boxes: dict[int, Box]) -> None:
    page = read_capture("u", "t", {"nodes": [_NODE]}, layout)
    assert (page.boxes, page.nodes[0].backend_id) == (boxes, 7)


@pytest.mark.parametrize("accessibility", ["{}", '{"nodes": 3}', '{"nodes": [{"role": {}}]}', "[]"])
def test_an_answer_of_another_form_is_refused(accessibility: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        read_capture("u", "t", msgspec.json.decode(accessibility), _layout())
