(define (problem strange_4)
(:domain alfred)
(:objects
    agent1 - agent
    loc_bar_minus_0_bar_1 - location
    loc_bar_1_bar_3 - location
    loc_bar_2_bar_5 - location
    loc_bar_minus_3_bar_6 - location
    GarbageCan_bar__minus_55_dot_38_bar__minus_05_dot_39 - receptacle
    Drawer_bar__plus_62_dot_24_bar__minus_75_dot_49 - receptacle
    SideTable_bar__plus_52_dot_67_bar__minus_66_dot_07 - receptacle
    Shelf_bar__plus_03_dot_47_bar__minus_87_dot_76 - receptacle
    Cabinet_bar__minus_37_dot_80_bar__plus_02_dot_45 - receptacle
    CounterTop_bar__plus_98_dot_88_bar__minus_05_dot_49 - receptacle
    Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08 - receptacle
    Mug_bar__plus_73_dot_80_bar__minus_34_dot_04 - object
    Knife_bar__plus_77_dot_95_bar__minus_49_dot_30 - object
    Apple_bar__minus_08_dot_03_bar__plus_33_dot_53 - object
    Mug_bar__plus_40_dot_99_bar__plus_75_dot_73 - object
    ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84 - object
    AppleType - otype
    ButterKnifeType - otype
    DeskLampType - otype
    KnifeType - otype
    MugType - otype
    CabinetType - rtype
    CounterTopType - rtype
    DrawerType - rtype
    FridgeType - rtype
    GarbageCanType - rtype
    ShelfType - rtype
    SideTableType - rtype
    Window - object)
(:init
    (atLocation agent1 loc_bar_minus_0_bar_1)
    (canContain CabinetType ButterKnifeType)
    (canContain CabinetType DeskLampType)
    (canContain CabinetType KnifeType)
    (canContain CabinetType MugType)
    (canContain CounterTopType ButterKnifeType)
    (canContain CounterTopType DeskLampType)
    (canContain CounterTopType KnifeType)
    (canContain DrawerType KnifeType)
    (canContain FridgeType AppleType)
    (canContain FridgeType ButterKnifeType)
    (canContain FridgeType DeskLampType)
    (canContain FridgeType MugType)
    (canContain GarbageCanType AppleType)
    (canContain GarbageCanType ButterKnifeType)
    (canContain GarbageCanType DeskLampType)
    (canContain GarbageCanType MugType)
    (canContain ShelfType AppleType)
    (canContain ShelfType ButterKnifeType)
    (canContain ShelfType KnifeType)
    (canContain SideTableType AppleType)
    (canContain SideTableType MugType)
    (receptacleAtLocation GarbageCan_bar__minus_55_dot_38_bar__minus_05_dot_39 loc_bar_minus_0_bar_1)
    (receptacleType GarbageCan_bar__minus_55_dot_38_bar__minus_05_dot_39 GarbageCanType)
    (opened GarbageCan_bar__minus_55_dot_38_bar__minus_05_dot_39)
    (receptacleAtLocation Drawer_bar__plus_62_dot_24_bar__minus_75_dot_49 loc_bar_2_bar_5)
    (receptacleType Drawer_bar__plus_62_dot_24_bar__minus_75_dot_49 DrawerType)
    (openable Drawer_bar__plus_62_dot_24_bar__minus_75_dot_49)
    (receptacleAtLocation SideTable_bar__plus_52_dot_67_bar__minus_66_dot_07 loc_bar_1_bar_3)
    (receptacleType SideTable_bar__plus_52_dot_67_bar__minus_66_dot_07 SideTableType)
    (receptacleAtLocation Shelf_bar__plus_03_dot_47_bar__minus_87_dot_76 loc_bar_minus_0_bar_1)
    (receptacleType Shelf_bar__plus_03_dot_47_bar__minus_87_dot_76 ShelfType)
    (receptacleAtLocation Cabinet_bar__minus_37_dot_80_bar__plus_02_dot_45 loc_bar_minus_0_bar_1)
    (receptacleType Cabinet_bar__minus_37_dot_80_bar__plus_02_dot_45 CabinetType)
    (openable Cabinet_bar__minus_37_dot_80_bar__plus_02_dot_45)
    (opened Cabinet_bar__minus_37_dot_80_bar__plus_02_dot_45)
    (receptacleAtLocation CounterTop_bar__plus_98_dot_88_bar__minus_05_dot_49 loc_bar_minus_3_bar_6)
    (receptacleType CounterTop_bar__plus_98_dot_88_bar__minus_05_dot_49 CounterTopType)
    (receptacleAtLocation Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08 loc_bar_minus_3_bar_6)
    (receptacleType Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08 FridgeType)
    (openable Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08)
    (objectType Mug_bar__plus_73_dot_80_bar__minus_34_dot_04 MugType)
    (inReceptacle Mug_bar__plus_73_dot_80_bar__minus_34_dot_04 Shelf_bar__plus_03_dot_47_bar__minus_87_dot_76)
    (objectAtLocation Mug_bar__plus_73_dot_80_bar__minus_34_dot_04 loc_bar_minus_3_bar_6)
    (pickupable Mug_bar__plus_73_dot_80_bar__minus_34_dot_04)
    (cleanable Mug_bar__plus_73_dot_80_bar__minus_34_dot_04)
    (coolable Mug_bar__plus_73_dot_80_bar__minus_34_dot_04)
    (isClean Mug_bar__plus_73_dot_80_bar__minus_34_dot_04)
    (objectType Knife_bar__plus_77_dot_95_bar__minus_49_dot_30 KnifeType)
    (inReceptacle Knife_bar__plus_77_dot_95_bar__minus_49_dot_30 Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08)
    (objectAtLocation Knife_bar__plus_77_dot_95_bar__minus_49_dot_30 loc_bar_minus_3_bar_6)
    (pickupable Knife_bar__plus_77_dot_95_bar__minus_49_dot_30)
    (sliceable Knife_bar__plus_77_dot_95_bar__minus_49_dot_30)
    (toggleable Knife_bar__plus_77_dot_95_bar__minus_49_dot_30)
    (isCool Knife_bar__plus_77_dot_95_bar__minus_49_dot_30)
    (objectType Apple_bar__minus_08_dot_03_bar__plus_33_dot_53 AppleType)
    (inReceptacle Apple_bar__minus_08_dot_03_bar__plus_33_dot_53 Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08)
    (inReceptacle Apple_bar__minus_08_dot_03_bar__plus_33_dot_53 CounterTop_bar__plus_98_dot_88_bar__minus_05_dot_49)
    (objectAtLocation Apple_bar__minus_08_dot_03_bar__plus_33_dot_53 loc_bar_minus_3_bar_6)
    (heatable Apple_bar__minus_08_dot_03_bar__plus_33_dot_53)
    (sliceable Apple_bar__minus_08_dot_03_bar__plus_33_dot_53)
    (toggleable Apple_bar__minus_08_dot_03_bar__plus_33_dot_53)
    (objectType Mug_bar__plus_40_dot_99_bar__plus_75_dot_73 MugType)
    (inReceptacle Mug_bar__plus_40_dot_99_bar__plus_75_dot_73 Fridge_bar__minus_26_dot_91_bar__minus_23_dot_08)
    (objectAtLocation Mug_bar__plus_40_dot_99_bar__plus_75_dot_73 loc_bar_2_bar_5)
    (pickupable Mug_bar__plus_40_dot_99_bar__plus_75_dot_73)
    (heatable Mug_bar__plus_40_dot_99_bar__plus_75_dot_73)
    (coolable Mug_bar__plus_40_dot_99_bar__plus_75_dot_73)
    (sliceable Mug_bar__plus_40_dot_99_bar__plus_75_dot_73)
    (objectType ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84 ButterKnifeType)
    (inReceptacle ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84 GarbageCan_bar__minus_55_dot_38_bar__minus_05_dot_39)
    (objectAtLocation ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84 loc_bar_2_bar_5)
    (cleanable ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84)
    (heatable ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84)
    (coolable ButterKnife_bar__minus_03_dot_10_bar__plus_33_dot_84))
(:goal (and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o MugType) (receptacleType ?r CabinetType) (isCool ?o)))))))
