from typing import Any

import msgspec
import pytest

from quintet.environments.webarena.observation.nodes import Box, read_capture

_NODE = {"nodeId": "1", "role": {"type": "role", "value": "main"}, "name": {"value": "x"}, "backendDOMNodeId": 7}


def _layout(**document: Any) -> dict[str, Any]:
    nodes = {"backendNodeId": [5, 7], "nodeName": [0, 1]}
    layout = {"nodeIndex": [1], "bounds": [[10, 20, 30, 40]], "text": [-1]}
    return {"documents": [{"nodes": nodes, "layout": layout} | document], "strings": []}


def test_boxes_count_from_the_viewports_corner() -> None:
    page = read_capture("u", "t", {"nodes": [_NODE]}, _layout(scrollOffsetX=1, scrollOffsetY=500.5))
    assert page.boxes == {7: Box(9, -480.5, 30, 40)}
    assert page.nodes[0].backend_id == 7


def test_what_is_laid_out_in_parts_has_a_box_around_them() -> None:
    layout = {"nodeIndex": [1, 1], "bounds": [[0, 0, 10, 10], [5, 20, 10, 10]]}
    assert read_capture("u", "t", {"nodes": []}, _layout(layout=layout)).boxes == {7: Box(0, 0, 15, 30)}


def test_frames_within_a_page_have_no_boxes() -> None:
    layout = _layout()
    frame = {"nodes": {"backendNodeId": [9]}, "layout": {"nodeIndex": [0], "bounds": [[0, 0, 1, 1]]}}
    layout["documents"].append(frame)
    assert set(read_capture("u", "t", {"nodes": []}, layout).boxes) == {7}


def test_a_page_without_a_document_has_no_boxes() -> None:
    assert read_capture("u", "t", {"nodes": []}, {"documents": []}).boxes == {}


@pytest.mark.parametrize("accessibility", ["{}", '{"nodes": 3}', '{"nodes": [{"role": {}}]}', "[]"])
def test_an_answer_of_another_form_is_refused(accessibility: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        read_capture("u", "t", msgspec.json.decode(accessibility), _layout())
