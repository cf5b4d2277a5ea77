(define (problem strange_3)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_0 - location
    loc_bar_minus_1_bar_0 - location
    Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67 - receptacle
    Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30 - receptacle
    GarbageCan_bar__minus_58_dot_35_bar__plus_02_dot_90 - receptacle
    Microwave_bar__plus_76_dot_75_bar__plus_95_dot_77 - receptacle
    Mug_bar__plus_58_dot_50_bar__plus_48_dot_53 - object
    Box_bar__minus_85_dot_14_bar__minus_21_dot_55 - object
    Apple_bar__minus_98_dot_51_bar__plus_09_dot_86 - object
    Bread_bar__minus_34_dot_70_bar__minus_28_dot_14 - object
    FloorLamp - object
    DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53 - object
    AppleType - otype
    BoxType - otype
    BreadType - otype
    DeskLampType - otype
    FloorLampType - otype
    MugType - otype
    DrawerType - rtype
    GarbageCanType - rtype
    MicrowaveType - rtype
    ShelfType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_0_bar_0)
    (canContain DrawerType AppleType)
    (canContain DrawerType BoxType)
    (canContain DrawerType BreadType)
    (canContain DrawerType DeskLampType)
    (canContain DrawerType FloorLampType)
    (canContain GarbageCanType AppleType)
    (canContain GarbageCanType BreadType)
    (canContain GarbageCanType FloorLampType)
    (canContain GarbageCanType MugType)
    (canContain MicrowaveType BreadType)
    (canContain MicrowaveType DeskLampType)
    (canContain MicrowaveType FloorLampType)
    (canContain ShelfType AppleType)
    (canContain ShelfType BreadType)
    (canContain ShelfType DeskLampType)
    (canContain ShelfType FloorLampType)
    (canContain ShelfType MugType)
    (receptacleAtLocation Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67 loc_bar_minus_1_bar_0)
    (receptacleType Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67 DrawerType)
    (openable Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67)
    (receptacleAtLocation Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30 loc_bar_minus_0_bar_0)
    (receptacleType Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30 ShelfType)
    (openable Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30)
    (receptacleAtLocation GarbageCan_bar__minus_58_dot_35_bar__plus_02_dot_90 loc_bar_minus_0_bar_0)
    (receptacleType GarbageCan_bar__minus_58_dot_35_bar__plus_02_dot_90 GarbageCanType)
    (receptacleAtLocation Microwave_bar__plus_76_dot_75_bar__plus_95_dot_77 loc_bar_minus_0_bar_0)
    (receptacleType Microwave_bar__plus_76_dot_75_bar__plus_95_dot_77 MicrowaveType)
    (openable Microwave_bar__plus_76_dot_75_bar__plus_95_dot_77)
    (objectType Mug_bar__plus_58_dot_50_bar__plus_48_dot_53 MugType)
    (inReceptacle Mug_bar__plus_58_dot_50_bar__plus_48_dot_53 Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67)
    (objectAtLocation Mug_bar__plus_58_dot_50_bar__plus_48_dot_53 loc_bar_minus_0_bar_0)
    (pickupable Mug_bar__plus_58_dot_50_bar__plus_48_dot_53)
    (toggleable Mug_bar__plus_58_dot_50_bar__plus_48_dot_53)
    (objectType Box_bar__minus_85_dot_14_bar__minus_21_dot_55 BoxType)
    (inReceptacle Box_bar__minus_85_dot_14_bar__minus_21_dot_55 Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67)
    (pickupable Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (cleanable Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (heatable Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (coolable Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (sliceable Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (isReceptacleObject Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (inReceptacleObject DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53 Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (inReceptacleObject Mug_bar__plus_58_dot_50_bar__plus_48_dot_53 Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (inReceptacleObject FloorLamp Box_bar__minus_85_dot_14_bar__minus_21_dot_55)
    (objectType Apple_bar__minus_98_dot_51_bar__plus_09_dot_86 AppleType)
    (inReceptacle Apple_bar__minus_98_dot_51_bar__plus_09_dot_86 Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30)
    (inReceptacle Apple_bar__minus_98_dot_51_bar__plus_09_dot_86 Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67)
    (inReceptacle Apple_bar__minus_98_dot_51_bar__plus_09_dot_86 GarbageCan_bar__minus_58_dot_35_bar__plus_02_dot_90)
    (cleanable Apple_bar__minus_98_dot_51_bar__plus_09_dot_86)
    (heatable Apple_bar__minus_98_dot_51_bar__plus_09_dot_86)
    (coolable Apple_bar__minus_98_dot_51_bar__plus_09_dot_86)
    (sliceable Apple_bar__minus_98_dot_51_bar__plus_09_dot_86)
    (toggleable Apple_bar__minus_98_dot_51_bar__plus_09_dot_86)
    (objectType Bread_bar__minus_34_dot_70_bar__minus_28_dot_14 BreadType)
    (inReceptacle Bread_bar__minus_34_dot_70_bar__minus_28_dot_14 Drawer_bar__minus_55_dot_14_bar__minus_41_dot_67)
    (objectAtLocation Bread_bar__minus_34_dot_70_bar__minus_28_dot_14 loc_bar_minus_1_bar_0)
    (pickupable Bread_bar__minus_34_dot_70_bar__minus_28_dot_14)
    (coolable Bread_bar__minus_34_dot_70_bar__minus_28_dot_14)
    (isSliced Bread_bar__minus_34_dot_70_bar__minus_28_dot_14)
    (isReceptacleObject Bread_bar__minus_34_dot_70_bar__minus_28_dot_14)
    (inReceptacleObject Apple_bar__minus_98_dot_51_bar__plus_09_dot_86 Bread_bar__minus_34_dot_70_bar__minus_28_dot_14)
    (inReceptacleObject Bread_bar__minus_34_dot_70_bar__minus_28_dot_14 Bread_bar__minus_34_dot_70_bar__minus_28_dot_14)
    (objectType FloorLamp FloorLampType)
    (inReceptacle FloorLamp Microwave_bar__plus_76_dot_75_bar__plus_95_dot_77)
    (inReceptacle FloorLamp Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30)
    (objectAtLocation FloorLamp loc_bar_minus_0_bar_0)
    (pickupable FloorLamp)
    (cleanable FloorLamp)
    (coolable FloorLamp)
    (toggleable FloorLamp)
    (isSliced FloorLamp)
    (objectType DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53 DeskLampType)
    (inReceptacle DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53 Shelf_bar__plus_20_dot_65_bar__plus_66_dot_30)
    (objectAtLocation DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53 loc_bar_minus_0_bar_0)
    (pickupable DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53)
    (cleanable DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53)
    (heatable DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53)
    (coolable DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53)
    (sliceable DeskLamp_bar__minus_19_dot_80_bar__plus_65_dot_53))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o BreadType) (receptacleType ?r MicrowaveType)))))))
